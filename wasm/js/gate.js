import { configured } from "./config.js";
import { Held, connection, fail, json, number, object, put1, puts, string, text, toJson, whole, wasm } from "./runtime.js";

/** The longest wait that a timer of JavaScript can hold. */
const LONGEST = 2 ** 31 - 1;

/** What a poll gives when there is nothing more. */
export const wait = (now, given) => {
  const deadline = given ? number() : null;
  return { type: "wait", deadline, delay: deadline === null ? null : Math.min(Math.max(deadline - now, 0), LONGEST) };
};

const digits = (id, path) => string(id, path);

export class Gate extends Held {
  constructor(config) {
    super("ag_gate_free", () => configured("ag_gate_new", config));
  }

  ask(now, ask) {
    whole(now, "/now");
    this._call(wasm.ag_gate_ask, now, put1(toJson(ask, "/ask")));
    return text();
  }

  bind(now, session, to) {
    whole(now, "/now");
    this._call(wasm.ag_gate_bind, now, put1(string(session, "/session")), connection(to, "/connection"), 1);
  }

  unbind(now, session, from) {
    whole(now, "/now");
    return this._call(wasm.ag_gate_bind, now, put1(string(session, "/session")), connection(from, "/connection"), 0) === 1;
  }

  bindChat(now, session, address) {
    this.#chat(now, session, address, 1);
  }

  unbindChat(now, session, address) {
    return this.#chat(now, session, address, 0) === 1;
  }

  #chat(now, session, address, enabled) {
    whole(now, "/now");
    const lengths = puts(string(session, "/session"), toJson(address, "/address"));
    return this._call(wasm.ag_gate_bind_chat, now, ...lengths, enabled);
  }

  attachClient(now, client, session, run, protocol, capabilities) {
    return attachClient(this, wasm.ag_gate_attach_client, now, client, session, run, protocol, capabilities);
  }

  canAsk(session, run) {
    return this._call(wasm.ag_gate_can_ask, ...puts(string(session, "/session"), string(run, "/run"))) === 1;
  }

  acknowledge(now, claim) {
    whole(now, "/now");
    return this._call(wasm.ag_gate_step, now, put1(toJson(claim, "/claim")), 1) === 1;
  }

  back(now, claim) {
    whole(now, "/now");
    return this._call(wasm.ag_gate_step, now, put1(toJson(claim, "/claim")), 0) === 1;
  }

  resolve(now, claim, resolution) {
    whole(now, "/now");
    const say = resolution === "decline" || resolution === "cancel" ? `"${resolution}"` : toJson(resolution, "/resolution");
    this._call(wasm.ag_gate_resolve, now, ...puts(toJson(claim, "/claim"), say));
    return text();
  }

  lose(now, claim) {
    whole(now, "/now");
    this._call(wasm.ag_gate_lose, now, put1(toJson(claim, "/claim")));
    return text();
  }

  withdraw(now, prompt, asker) {
    whole(now, "/now");
    const by = connection(asker, "/asker");
    return this._call(wasm.ag_gate_withdraw, now, put1(digits(prompt, "/prompt")), by) === 1;
  }

  closeSurface(now, surface) {
    whole(now, "/now");
    return this._call(wasm.ag_gate_close_surface, now, put1(string(surface, "/surface")));
  }

  disconnect(now, gone) {
    return this._call(wasm.ag_gate_disconnect, whole(now, "/now"), connection(gone, "/connection"));
  }

  endRun(now, session, run) {
    whole(now, "/now");
    return this._call(wasm.ag_gate_end_run, now, ...puts(string(session, "/session"), string(run, "/run")));
  }

  endSession(now, session) {
    whole(now, "/now");
    return this._call(wasm.ag_gate_end_session, now, put1(string(session, "/session")));
  }

  shutdown(now) {
    return this._call(wasm.ag_gate_shutdown, whole(now, "/now"));
  }

  poll(now) {
    const given = this._call(wasm.ag_gate_poll, whole(now, "/now"));
    return given === 2 ? event(json()) : wait(now, given);
  }

  nextDeadline() {
    return this._call(wasm.ag_gate_next_deadline) ? number() : null;
  }

  pending(of) {
    if (of === undefined) this._call(wasm.ag_gate_pending, 0, put1(""));
    else {
      const { surface, session } = object(of, "/of");
      if (surface !== undefined) this._call(wasm.ag_gate_pending, 1, put1(string(surface, "/surface")));
      else this._call(wasm.ag_gate_pending, 2, put1(string(session, "/session")));
    }
    return json();
  }

  get(prompt) {
    return this._call(wasm.ag_gate_get, put1(digits(prompt, "/prompt"))) ? json() : null;
  }

  asker(prompt) {
    return this._call(wasm.ag_gate_asker, put1(digits(prompt, "/prompt"))) ? String(number()) : null;
  }

  snapshot() {
    this._call(wasm.ag_gate_snapshot);
    return { seq: number(), pending: json() };
  }
}

const event = (given) => {
  if (given.shown) return { type: "shown", seq: given.shown.seq, prompt: String(given.shown.prompt) };
  if (given.resolved) return { type: "resolved", ...given.resolved, prompt: String(given.resolved.prompt) };
  return { type: "availability", session: given.available[0], run: given.available[1], available: given.is };
};

/** What gate and endpoint do alike. */
export const attachClient = (to, take, now, client, session, run, protocol, capabilities) => {
  whole(now, "/now");
  const at = connection(client, "/connection");
  const lengths = puts(
    string(session, "/session"),
    string(run, "/run"),
    string(protocol, "/protocol"),
    toJson(capabilities, "/capabilities"),
  );
  return to._call(take, now, at, ...lengths) === 1;
};
