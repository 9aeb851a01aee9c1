// What a strict consumer writes; it need only compile.
import { AskgateError, Endpoint, Gate, Mirror, Modal, canElicit, checkAnswer, cut, displaySafe, init, keyInput } from "askgate";
import type { AskUserRequest, Effect, GateEvent, Output, View, Wait } from "askgate";
import { Modal as PageModal, init as initPage } from "askgate/modal";
import { initSync } from "askgate/inline";
import { Gate as ChatGate, Router } from "askgate/chat";
import type { Effect as ChatEffect, Handled, Report } from "askgate/chat";

void init();
void initPage();
initSync(new Uint8Array());

const endpoint: Endpoint = new Endpoint({ firstPromptId: 7, limits: { lineBytes: 1024 } });
const taken: "taken" | "full" = endpoint.receive(0, endpoint.connect(0, { observer: true }), "{}");
const told = (output: Output | Wait): string | number | boolean | null => {
  switch (output.type) {
    case "send":
      return output.line;
    case "openPane":
      return output.placement;
    case "closePane":
      return output.agent;
    case "availability":
      return output.available;
    case "wait":
      return output.delay;
  }
};
told(endpoint.poll(0));

const gate = new Gate();
const prompt: string = gate.ask(0, { dialect: "agent", request: { surface_id: "s", kind: "text", title: "Why?" } });
const happened = (event: GateEvent | Wait): unknown => {
  if (event.type === "resolved" && event.outcome === "answered") return event.answers;
  if (event.type === "resolved") return event.reason;
  return event.type === "shown" ? event.prompt : event.type;
};
happened(gate.poll(0));
gate.resolve(0, { kind: "request", prompt }, { value: "so" });
gate.resolve(0, { kind: "session", prompt, session: "s", run: "r", connection: "1" }, "decline");

const mirror = new Mirror();
const head: AskUserRequest | null = mirror.head("s");
if (head?.kind === "choice") head.choices.map(({ label }) => label);
const modal = new Modal(head ?? { questions: [] }, { terminal: false }, 0);
const act = (effect: Effect): unknown => {
  switch (effect.type) {
    case "submit":
      return effect.value ?? effect.answers;
    case "none":
    case "redraw":
    case "decline":
    case "cancel":
    case "acknowledge":
    case "back":
      return undefined;
  }
};
act(modal.input(0, { type: "activate", control: "option:1" }));
const key = keyInput({ key: "Enter" });
if (key !== null) act(modal.input(0, key));
const view: View = modal.view();
view.controls.filter(({ enabled }) => enabled);
modal.free();
new PageModal("{}", undefined, 0).free();
checkAnswer({ questions: [] }, { answers: [{ id: "q", custom: "so" }] });
displaySafe(cut("text", 3, "utf16"), "line").hasHidden;
canElicit("acp", {});
try {
  modal.key(0, "x");
} catch (error) {
  if (error instanceof AskgateError && error.code === "freed") throw error;
}

const host = new ChatGate();
const router = new Router("discord", "1", new Uint8Array(32));
const address = router.addressOf("{}");
if (address !== null) router.bindChat(0, host, "s", address);
const shown: number = router.show(0, host, prompt, new Uint8Array(16), [{ chat: "1", users: ["2"] }]);
const became = (handled: Handled): string => (handled.type === "refused" || handled.type === "hint" ? handled.reason : handled.type);
became(router.handle(0, host, "{}"));
const next: ChatEffect | Wait = router.poll(0);
if (next.type === "wait") next.deadline?.toFixed();
else {
  const report: Report = router.report(0, host, next.id, { status: 200, body: next.body });
  if (report.type === "retry") report.afterMs?.toFixed();
  router.report(0, host, next.id, null);
}
router.resolved(0, host, prompt);
void shown;

// @ts-expect-error a router has a gate of the same entry
router.loseChat(0, mirror, "1");
// @ts-expect-error no such platform
new Router("irc", "1", new Uint8Array(32));
// @ts-expect-error a key is bytes
new Router("telegram", "1", "secret");
// @ts-expect-error a time is a number
modal.key("0", "x");
// @ts-expect-error no outcome has that name
modal.close(0, "done");
// @ts-expect-error no control has that name
modal.activate(0, "ok");
// @ts-expect-error a connection is a string
endpoint.disconnect(0, 1);
// @ts-expect-error a yesno has no choices
gate.ask(0, { dialect: "agent", request: { surface_id: "s", kind: "yesno", title: "?", choices: [] } });
void taken;
