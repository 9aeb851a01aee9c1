// What every consumer does: ask, show, answer, and see what came of it.
export const use = ({ Endpoint, Modal, Mirror, checkAnswer, AskgateError }) => {
  const endpoint = new Endpoint();
  const agent = endpoint.connect(0, { answer: false });
  const page = endpoint.connect(0, { observer: true });
  const lines = { [agent]: [], [page]: [] };
  const give = (from, message) => {
    endpoint.receive(0, from, JSON.stringify(message));
    for (let output; (output = endpoint.poll(0)).type !== "wait"; ) {
      if (output.type === "send") lines[output.to].push(JSON.parse(output.line));
    }
  };
  const params = { surface_id: "s", kind: "yesno", title: "Deploy?" };
  give(agent, { id: 1, method: "agent.ask_user", params });
  const mirror = new Mirror();
  mirror.apply(lines[page][0].params);
  const prompt = mirror.head("s");
  const modal = new Modal(prompt, { guardMs: 0 }, 0);
  const effect = modal.key(0, "y");
  checkAnswer(prompt, { value: effect.value });
  try {
    checkAnswer(prompt, { value: "perhaps" });
    throw new Error("a wrong answer was taken");
  } catch (error) {
    if (!(error instanceof AskgateError) || error.code !== "invalid_answer") throw error;
  }
  give(page, { id: 2, method: "agent.ask_answer", params: { request_id: prompt.request_id, value: effect.value } });
  modal.close(0, "answered");
  for (const object of [endpoint, mirror, modal]) object.free();
  return lines[agent].at(-1).result.value;
};

/** The same for `askgate/modal`, which has no gate. */
export const show = ({ Modal }) => {
  const modal = new Modal({ surface_id: "s", kind: "yesno", title: "Deploy?" }, { guardMs: 0 }, 0);
  const { value } = modal.key(0, "y");
  modal.free();
  return value;
};
