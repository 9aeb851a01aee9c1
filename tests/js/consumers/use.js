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

/** The same for `askgate/chat`: asks in a chat, and somebody presses a button there. */
export const press = ({ Gate, Router }) => {
  const gate = new Gate();
  const router = new Router("telegram", "42", new Uint8Array(32).fill(7));
  const happens = (type) => {
    for (let event; (event = gate.poll(0)).type !== "wait"; ) if (event.type === type) return event;
  };
  const message = { message_id: 9, date: 1, text: "Deploy", chat: { id: -100 }, from: { id: 5 } };
  router.bindChat(0, gate, "s", router.addressOf({ update_id: 1, message }));
  const request = { questions: [{ id: "q", question: "Deploy?", options: [{ label: "yes" }, { label: "no" }] }] };
  const prompt = gate.ask(0, { dialect: "session", session: "s", run: "r", request });
  happens("shown");
  router.show(0, gate, prompt, new Uint8Array(16).fill(1));
  const sent = router.poll(0);
  router.report(0, gate, sent.id, { status: 200, body: '{"ok":true,"result":{"message_id":10}}' });
  const [button] = JSON.parse(sent.body).reply_markup.inline_keyboard.flat();
  const shown = { message_id: 10, date: 1, chat: { id: -100 } };
  const pressed = { id: "1", from: { id: 5 }, message: shown, data: button.callback_data };
  if (router.handle(0, gate, { update_id: 2, callback_query: pressed }).type !== "taken") return "not taken";
  const event = happens("resolved");
  router.resolved(0, gate, event.prompt);
  for (const object of [router, gate]) object.free();
  return event.answers[0].selected[0];
};
