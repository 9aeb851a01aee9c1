import { Gate, wait } from "./gate.js";
import { Held, call, fail, json, object, place, put1, puts, putsAfter, string, toJson, whole, wasm } from "./runtime.js";

const PLATFORMS = ["telegram", "discord"];

const bytes = (value, length, path) => {
  if (!(value instanceof Uint8Array)) fail("wrong_type", path, "Give a Uint8Array.");
  return value.length === length ? value : fail("invalid_value", path, `Give ${length} random bytes.`);
};

const gateOf = (gate) => (gate instanceof Gate ? gate : fail("wrong_type", "/gate", "Give a Gate."));

/** As a host had it from the platform: text stays as it is. */
const toUpdate = (update) => toJson(update, "/update");

export class Router extends Held {
  constructor(platform, bot, key) {
    const discord = place(PLATFORMS, platform, "/platform");
    const random = bytes(key, 32, "/key");
    super("ag_router_free", () => {
      const [length] = putsAfter(random, string(bot, "/bot"));
      return call("ag_router_new", discord, random.length, length);
    });
  }

  addressOf(update) {
    return this._call(wasm.ag_router_address_of, put1(toUpdate(update))) ? json() : null;
  }

  bindChat(now, gate, session, address) {
    whole(now, "/now");
    const lengths = puts(string(session, "/session"), toJson(address, "/address"));
    this._callWith(gateOf(gate), wasm.ag_router_bind_chat, now, ...lengths);
  }

  show(now, gate, prompt, handle, audiences = []) {
    whole(now, "/now");
    const random = bytes(handle, 16, "/handle");
    const lengths = putsAfter(random, string(prompt, "/prompt"), toJson(audiences, "/audiences"));
    return this._callWith(gateOf(gate), wasm.ag_router_show, now, random.length, ...lengths);
  }

  resolved(now, gate, prompt) {
    whole(now, "/now");
    this._callWith(gateOf(gate), wasm.ag_router_resolved, now, put1(string(prompt, "/prompt")));
  }

  endRun(now, gate, session, run) {
    whole(now, "/now");
    const lengths = puts(string(session, "/session"), string(run, "/run"));
    return this._callWith(gateOf(gate), wasm.ag_router_end_run, now, ...lengths);
  }

  loseChat(now, gate, chat) {
    whole(now, "/now");
    return this._callWith(gateOf(gate), wasm.ag_router_lose_chat, now, put1(string(chat, "/chat")));
  }

  handle(now, gate, update) {
    whole(now, "/now");
    this._callWith(gateOf(gate), wasm.ag_router_handle, now, put1(toUpdate(update)));
    return json();
  }

  report(now, gate, effect, answer) {
    whole(now, "/now");
    const { status = -1, body = "" } = answer === null ? {} : object(answer, "/answer");
    if (answer !== null && (whole(status, "/answer/status") < 100 || status > 599)) {
      fail("invalid_value", "/answer/status", "Give the HTTP status.");
    }
    const lengths = puts(string(effect, "/effect"), string(body, "/answer/body"));
    this._callWith(gateOf(gate), wasm.ag_router_report, now, ...lengths, status);
    const { type, after_ms: afterMs = null } = json();
    return type === "retry" ? { type, afterMs } : { type };
  }

  poll(now) {
    const given = this._call(wasm.ag_router_poll, whole(now, "/now"));
    return given === 2 ? json() : wait(now, given);
  }
}
