import { configured } from "./config.js";
import { attachClient, wait } from "./gate.js";
import { Held, connection, json, number, object, put1, putBytes, puts, string, text, whole, wasm } from "./runtime.js";

export class Endpoint extends Held {
  constructor(config) {
    super("ag_endpoint_free", () => configured("ag_endpoint_new", config));
  }

  connect(now, authority) {
    const { observer = false, answer = true, operator = false, runtime = false } = object(authority ?? {}, "/authority");
    const may = (observer ? 1 : 0) | (answer ? 2 : 0) | (operator ? 4 : 0) | (runtime ? 8 : 0);
    this._call(wasm.ag_endpoint_connect, whole(now, "/now"), may);
    return String(number());
  }

  receive(now, from, line) {
    whole(now, "/now");
    const at = connection(from, "/connection");
    const length = line instanceof Uint8Array ? putBytes(line) : put1(string(line, "/line"));
    return this._call(wasm.ag_endpoint_receive, now, at, length) === 1 ? "taken" : "full";
  }

  poll(now) {
    const given = this._call(wasm.ag_endpoint_poll, whole(now, "/now"));
    switch (given) {
      case 2:
        return { type: "send", to: String(number()), line: text() };
      case 3:
        return { type: "openPane", request: number(), placement: text() };
      case 4:
        return { type: "closePane", agent: text() };
      case 5: {
        const [session, run, available] = json();
        return { type: "availability", session, run, available };
      }
      default:
        return wait(now, given);
    }
  }

  nextDeadline() {
    return this._call(wasm.ag_endpoint_next_deadline) ? number() : null;
  }

  disconnect(now, gone) {
    return this._call(wasm.ag_endpoint_disconnect, whole(now, "/now"), connection(gone, "/connection"));
  }

  closeSurface(now, surface) {
    whole(now, "/now");
    return this._call(wasm.ag_endpoint_close_surface, now, put1(string(surface, "/surface")));
  }

  endRun(now, session, run) {
    whole(now, "/now");
    return this._call(wasm.ag_endpoint_end_run, now, ...puts(string(session, "/session"), string(run, "/run")));
  }

  endSession(now, session) {
    whole(now, "/now");
    return this._call(wasm.ag_endpoint_end_session, now, put1(string(session, "/session")));
  }

  shutdown(now) {
    return this._call(wasm.ag_endpoint_shutdown, whole(now, "/now"));
  }

  canAsk(session, run) {
    return this._call(wasm.ag_endpoint_can_ask, ...puts(string(session, "/session"), string(run, "/run"))) === 1;
  }

  paneOpened(now, request, agent, surface) {
    whole(now, "/now");
    whole(request, "/request");
    const lengths = puts(string(agent, "/agent"), string(surface, "/surface"));
    this._call(wasm.ag_endpoint_pane_opened, now, request, ...lengths);
  }

  paneFailed(now, request, why) {
    whole(now, "/now");
    whole(request, "/request");
    this._call(wasm.ag_endpoint_pane_failed, now, request, put1(string(why, "/why")));
  }

  paneClosed(now, agent) {
    whole(now, "/now");
    return this._call(wasm.ag_endpoint_pane_closed, now, put1(string(agent, "/agent")));
  }

  attachClient(now, client, session, run, protocol, capabilities) {
    return attachClient(this, wasm.ag_endpoint_attach_client, now, client, session, run, protocol, capabilities);
  }
}
