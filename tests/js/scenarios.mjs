// Plays scenario files through the package; `tests/vectors/README.md` describes them. It runs in Node and in a page.

import { chat } from "./chat.mjs";
import { Captures, Fields, Record, bytes, camel, isObject, justTrue, readConfig, refusal, show, written } from "./fields.mjs";
import { canonical, equal, parse } from "./json.mjs";

const endpoint = (askgate, file, record) => {
  const [config, rest] = readConfig(file);
  const listsAvailability = rest.typed("availability", "boolean") ?? false;
  rest.done();
  const steps = file.needList("steps");
  file.done();
  const host = new askgate.Endpoint(config);
  const open = new Map();
  const labels = new Map();
  const gone = new Set();
  const captures = new Captures();
  let leaving;
  let now = 0;

  const connectionOf = (label) => {
    if (!open.has(label)) throw new Error(`"${label}" is not open`);
    return open.get(label);
  };
  const ignoringRefusal = (report) => {
    try {
      report();
    } catch (error) {
      refusal(error);
    }
  };
  const ACTIONS = {
    connect(label, step) {
      const authority = {};
      for (const name of ["observer", "answer", "operator", "runtime"]) authority[name] = step.typed(name, "boolean");
      const connection = host.connect(now, authority);
      open.set(label, connection);
      labels.set(connection, label);
      const client = step.fields("client");
      if (client === undefined) return;
      const protocol = client.needText("protocol");
      const capabilities = canonical(client.need("capabilities"));
      host.attachClient(now, connection, client.needText("session"), client.needText("run"), protocol, capabilities);
      client.done();
    },
    from(label, step) {
      const send = step.take("send");
      const raw = step.typed("raw", "string");
      const line = send !== undefined ? canonical(captures.fill(send)) : (raw ?? bytes(step.needText("raw_hex")));
      const taken = host.receive(now, connectionOf(label), line);
      if (taken !== "taken") throw new Error("the line was not taken: too many outputs wait");
    },
    disconnect(label) {
      leaving = connectionOf(label);
      open.delete(label);
      host.disconnect(now, leaving);
    },
    poll: (value) => justTrue("poll", value),
    next_deadline(value) {
      const next = host.nextDeadline();
      record.add(next);
      captures.compare(value, next);
    },
    close_surface: (surface) => host.closeSurface(now, surface),
    end_run: ([session, run]) => host.endRun(now, session, run),
    end_session: (session) => host.endSession(now, session),
    shutdown: () => host.shutdown(now),
    can_ask([session, run], step) {
      const can = host.canAsk(session, run);
      record.add(can);
      captures.compare(step.need("is"), can);
    },
    pane_opened: ([request, agent, surface]) => ignoringRefusal(() => host.paneOpened(now, request, agent, surface)),
    pane_failed: ([request, why]) => ignoringRefusal(() => host.paneFailed(now, request, why)),
    pane_closed: (agent) => ignoringRefusal(() => host.paneClosed(now, agent)),
  };
  const outputs = () => {
    const list = [];
    for (let output; (output = host.poll(now)).type !== "wait"; ) {
      if (output.type === "send") {
        const { to, line } = output;
        if (/[\n\r]/.test(line)) throw new Error(`an output of more than one line: ${line}`);
        const label = labels.get(to);
        if (gone.has(to)) throw new Error(`an output to a connection that is gone: ${line}`);
        record.raw(`{"to":${JSON.stringify(label)},"line":${line}}`);
        list.push({ to: label, line: parse(line) });
        continue;
      }
      if (output.type === "availability" && !listsAvailability) continue;
      const { request, placement, session, run, available } = output;
      const written = {
        openPane: { open_pane: { request, placement } },
        closePane: { close_pane: output.agent },
        availability: { available: [session, run], is: available },
      }[output.type];
      record.add(written);
      list.push(written);
    }
    if (leaving !== undefined) gone.add(leaving);
    leaving = undefined;
    return list;
  };
  record.steps(steps, (given) => {
    const step = new Fields("the step", given);
    now = step.take("at") ?? now;
    const [name, value] = step.action(Object.keys(ACTIONS));
    ACTIONS[name](value, step);
    const expected = step.take("expect") ?? [];
    step.done();
    captures.compare(expected, outputs());
  });
  host.free();
};

const gate = (askgate, file, record) => {
  const [config, rest] = readConfig(file);
  rest.done();
  const steps = file.needList("steps");
  file.done();
  const host = new askgate.Gate(config);
  const captures = new Captures();
  const labels = [];
  let now = 0;

  /** Each label is one connection for the whole scenario. */
  const connection = (label) => {
    if (label === undefined) return undefined;
    if (!labels.includes(label)) labels.push(label);
    return String(labels.indexOf(label) + 1);
  };
  const claim = (given) => {
    const { prompt, connection: label, ...more } = given;
    return canonical({ ...more, prompt: String(show(prompt)), connection: connection(label) });
  };
  const attempt = (call) => {
    try {
      return call();
    } catch (error) {
      return refusal(error);
    }
  };
  const ids = (prompts) => prompts.map(Number);
  const ACTIONS = {
    ask({ asker, ...ask }) {
      return attempt(() => ({ prompt: Number(host.ask(now, canonical({ ...ask, asker: connection(asker) }))) }));
    },
    bind({ session, connection: label }) {
      host.bind(now, session, connection(label));
      return true;
    },
    unbind: ({ session, connection: label }) => host.unbind(now, session, connection(label)),
    bind_chat({ session, address }) {
      host.bindChat(now, session, address);
      return true;
    },
    attach_client: ({ session, run, connection: label, protocol, capabilities }) =>
      host.attachClient(now, connection(label), session, run, protocol, canonical(capabilities)),
    acknowledge: (given) => attempt(() => host.acknowledge(now, claim(given))),
    back: (given) => attempt(() => host.back(now, claim(given))),
    resolve(given, step) {
      const say = captures.fill(step.need("with"));
      return attempt(() => host.resolve(now, claim(given), typeof say === "string" ? say : canonical(say)));
    },
    withdraw: ({ prompt, asker }) => host.withdraw(now, show(prompt), connection(asker)),
    close_surface: (surface) => host.closeSurface(now, surface),
    disconnect: (label) => host.disconnect(now, connection(label)),
    end_run: ([session, run]) => host.endRun(now, session, run),
    end_session: (session) => host.endSession(now, session),
    shutdown: () => host.shutdown(now),
    poll: () => null,
    next_deadline(value) {
      const next = host.nextDeadline();
      captures.compare(value, next);
      return next;
    },
    can_ask([session, run], step) {
      const can = host.canAsk(session, run);
      captures.compare(step.need("is"), can);
      return can;
    },
    pending: (of) => ids(host.pending(of === true ? undefined : of)),
    snapshot() {
      const { seq, pending } = host.snapshot();
      return { seq, pending: ids(pending) };
    },
  };
  record.steps(steps, (given) => {
    const step = new Fields("the step", given);
    now = step.take("at") ?? now;
    const [name, value] = step.action(Object.keys(ACTIONS));
    const result = ACTIONS[name](captures.fill(value), step);
    const wanted = step.take("result");
    const expected = step.take("expect") ?? [];
    step.done();
    const events = [];
    for (let event; (event = host.poll(now)).type !== "wait"; ) events.push(written(event));
    record.add(result);
    for (const event of events) record.add(event);
    if (wanted !== undefined) captures.compare(wanted, result);
    captures.compare(expected, events.map((event) => parse(canonical(event))));
  });
  host.free();
};

const ACTIONS_OF_MIRRORS = ["push", "snapshot", "reset"];
const CHECKS_OF_MIRRORS = ["head", "counts", "total"];

/** The params of an event, given by themselves or in the whole message. */
const eventOf = (name, given) => {
  let event = given;
  if (isObject(given) && "method" in given) {
    const message = new Fields("the event", given);
    const method = message.take("method");
    if (method !== "askUserEvent") throw new Error(`no event is of the method ${show(method)}`);
    event = message.need("params");
    message.done();
  }
  return name === "snapshot" && isObject(event) ? { kind: name, ...event } : event;
};

const mirror = (askgate, file, record) => {
  let steps = file.needList("steps");
  if (file.hasAny(CHECKS_OF_MIRRORS)) {
    // What is beside the steps is checked after the last of them.
    const last = CHECKS_OF_MIRRORS.map((name) => [name, file.take(name)]).filter(([, value]) => value !== undefined);
    steps = [...steps, Object.fromEntries(last)];
  }
  file.done();
  const copy = new askgate.Mirror();
  record.steps(steps, (given) => {
    const step = new Fields("the step", given);
    if (step.hasAny(ACTIONS_OF_MIRRORS) || !step.hasAny(CHECKS_OF_MIRRORS)) {
      const [name, value] = step.action(ACTIONS_OF_MIRRORS);
      if (name === "reset") copy.reset();
      else copy.apply(canonical(eventOf(name, value)));
    }
    const expected = {};
    const got = {};
    const head = step.take("head");
    if (head !== undefined) {
      expected.head = head;
      got.head = Object.create(null);
      for (const surface of Object.keys(head)) got.head[surface] = copy.head(surface)?.request_id ?? null;
    }
    const counts = step.take("counts");
    if (counts !== undefined) {
      expected.counts = counts;
      got.counts = Object.create(null);
      for (const surface of Object.keys(counts)) got.counts[surface] = copy.count(surface);
    }
    const total = step.take("total");
    if (total !== undefined) {
      expected.total = total;
      got.total = copy.len();
    }
    step.done();
    record.add(got);
    new Captures().compare(expected, got);
    const counted = copy.surfaces().reduce((sum, { count }) => sum + count, 0);
    if (counted !== copy.len() || copy.pending().length !== copy.len()) throw new Error("the mirror's own counts differ");
  });
  copy.free();
};

const MODES = { title: "line", label: "line" };
const UNITS = { grapheme: "graphemes", scalar: "scalars", chars: "scalars", char: "scalars", "utf-16": "utf16", byte: "bytes" };

const text = (askgate, file, record) => {
  const names = ["checks", "cases", "tests", "texts", "steps"];
  const checks = file.needList(names.find((name) => file.hasAny([name])) ?? "checks");
  file.done();
  record.steps(checks, (given) => {
    const check = new Fields("the check", given);
    const is = check.need("is");
    const shown = check.typed("display_safe", "string");
    const expected = { is };
    let got;
    if (shown !== undefined) {
      const mode = check.needText("mode");
      const safe = askgate.displaySafe(shown, MODES[mode] ?? mode);
      got = { is: safe.text };
      if (check.hasAny(["has_hidden"])) {
        expected.has_hidden = check.take("has_hidden");
        got.has_hidden = safe.hasHidden;
      }
    } else {
      const unit = check.needText("unit");
      got = { is: askgate.cut(check.needText("cut"), check.need("limit"), UNITS[unit] ?? unit) };
    }
    check.done();
    record.add(got);
    new Captures().compare(expected, got);
  });
};

const modal = (askgate, file, record) => {
  const dialect = file.needText("dialect");
  const request = file.need("request");
  const { rows, guard_ms, confirm_ms, terminal, ...unknown } = file.take("options") ?? {};
  if (Object.keys(unknown).length > 0) throw new Error(`options are not known: ${Object.keys(unknown)}`);
  const steps = file.needList("steps");
  file.done();
  if ("questions" in request !== (dialect === "session")) throw new Error(`no request of dialect ${dialect}`);
  const options = { rows, guardMs: guard_ms ?? 0, confirmMs: confirm_ms, terminal };
  const shown = new askgate.Modal(canonical(request), options, 0);
  const captures = new Captures();
  let now = 0;
  const ACTIONS = {
    key: (key, step) => shown.key(now, key, step.typed("repeat", "boolean"), step.typed("composing", "boolean")),
    paste: (pasted) => shown.paste(now, pasted),
    activate: (control) => shown.activate(now, control),
    focus: (control) => shown.focus(now, control),
    set_text: (value) => shown.setText(now, value),
    resize: (rows) => shown.resize(now, rows),
    acknowledged: () => shown.acknowledged(now),
    reject: (error) => shown.reject(now, error),
    close: (outcome) => shown.close(now, outcome),
    wait(ms) {
      now += ms;
      return shown.tick(now);
    },
  };
  record.steps(steps, (given) => {
    const step = new Fields("the step", given);
    now = step.take("at") ?? now;
    const [name, value] = step.action(Object.keys(ACTIONS));
    const { type, value: submitted, answers } = ACTIONS[name](value, step);
    const effect = type === "submit" ? { submit: submitted ?? answers } : type;
    record.raw(JSON.stringify(effect));
    const view = shown.view();
    record.raw(JSON.stringify(view));
    const expected = step.need("effect");
    if (!(expected === "none" && effect === "redraw")) {
      try {
        captures.compare(expected, effect);
      } catch (error) {
        throw new Error(`the effect: ${error.message}`);
      }
    }
    const part = step.take("view");
    if (part !== undefined) {
      const controls = Object.create(null);
      for (const control of view.controls) {
        if (control.id in controls) throw new Error(`two controls are ${control.id}`);
        controls[control.id] = control;
      }
      comparePart(captures, part, { ...view, controls }, "the view");
    }
    step.done();
  });
  shown.free();
};

/** Compares what a file names of a view. A control that is not there is null. */
const comparePart = (captures, part, got, place) => {
  if (isObject(part) && isObject(got)) {
    for (const name of Object.keys(part)) {
      const at = `${place}/${name}`;
      if (name in got) comparePart(captures, part[name], got[name], at);
      else if (!(place === "the view/controls" && part[name] === null)) throw new Error(`${at} is not there`);
    }
  } else if (Array.isArray(part) && Array.isArray(got) && part.length === got.length) {
    part.forEach((item, n) => comparePart(captures, item, got[n], `${place}/${n}`));
  } else {
    captures.compare(part, got, place);
  }
};

const readScope = (scope) => {
  const requestId = scope.either("requestId", "request_id");
  if (requestId !== undefined) return { requestId };
  const sessionId = scope.either("sessionId", "session_id");
  if (typeof sessionId !== "string") throw new Error("the scope has no session");
  return { sessionId, toolCallId: scope.either("toolCallId", "tool_call_id") };
};

const elicitation = (askgate, file, record) => {
  const protocol = file.needText("protocol");
  const asked = { questions: file.need("questions"), timeout_ms: file.take("timeout_ms") };
  const named = file.fields("scope") ?? new Fields("scope", { sessionId: "s" });
  const scope = readScope(named);
  named.done();
  const capabilities = canonical(file.take("capabilities") ?? { elicitation: { form: {} } });
  let wanted = file.take("request");
  if (isObject(wanted)) {
    // What an endpoint puts around the request is not compared.
    const { jsonrpc, id, ...compared } = wanted;
    wanted = compared;
  }
  const responses = file.take("responses") ?? [];
  file.done();
  const request = askgate.canElicit(protocol, capabilities)
    ? askgate.elicitationRequest(protocol, canonical(asked), scope)
    : null;
  record.add(request);
  const captures = new Captures();
  if (wanted !== undefined) captures.compare(wanted, request);
  record.steps(responses, ({ give, result: expected, ...unknown }) => {
    if (Object.keys(unknown).length > 0) throw new Error(`a response has fields that are not known: ${Object.keys(unknown)}`);
    const given = captures.fill(give);
    const isBare = protocol === "mcp-2026-07-28" && !("inputResponses" in given);
    const response = isBare ? { inputResponses: { ask: given } } : given;
    const result = elicited(askgate, { protocol, asked, capabilities, session: scope.sessionId ?? "s" }, response);
    if (request !== null && !equal(result, askgate.elicitationResult(protocol, canonical(asked), canonical(response)))) {
      throw new Error("the endpoint comes to another result");
    }
    record.add(result);
    captures.compare(expected, result);
  });
};

/** Asks a fresh prompt through an endpoint and gives the client's response; gives the tool's result. */
const elicited = (askgate, { protocol, asked, capabilities, session }, response) => {
  const host = new askgate.Endpoint();
  const runtime = host.connect(0, { runtime: true });
  const client = host.connect(0);
  host.attachClient(0, client, session, "r", protocol, capabilities);
  const lines = new Map([[runtime, []], [client, []]]);
  const give = (from, line) => {
    host.receive(0, from, canonical(line));
    for (let output; (output = host.poll(0)).type !== "wait"; ) {
      if (output.type === "send") lines.get(output.to).push(parse(output.line));
    }
  };
  const params = { ...asked, session_key: session, run_id: "r" };
  give(runtime, { id: 1, method: "sessions.prompt.request", params });
  const [sent] = lines.get(client);
  if (sent !== undefined) give(client, { jsonrpc: "2.0", id: sent.id, result: response });
  host.free();
  if (lines.get(runtime).length !== 1) throw new Error("one result was to come");
  return lines.get(runtime)[0].result;
};

const KINDS = { endpoint, gate, mirror, text, modal, elicitation, chat };

/**
 * Plays one scenario, given as the text of its file; gives what was recorded and, if it failed, why. `askgate` is the package,
 * and `chats` is `askgate/chat`.
 */
export const play = ({ askgate, chats }, file) => {
  const record = new Record();
  try {
    const scenario = new Fields("the scenario", parse(file));
    scenario.needText("name");
    const kind = scenario.needText("kind");
    if (!Object.hasOwn(KINDS, kind)) throw new Error(`no runner knows the kind "${kind}"`);
    KINDS[kind](kind === "chat" ? chats : askgate, scenario, record);
    return { lines: record.lines };
  } catch (error) {
    return { lines: record.lines, error: error.message };
  }
};

/** The line of a file that was played. */
export const told = (name, { error }) => (error === undefined ? `ok ${name}` : `FAIL ${name}: ${error}`);

/** The line that sums up, and whether all is well. */
export const summed = (results) => {
  const failed = results.filter(({ error }) => error !== undefined).length;
  return [`${results.length - failed} passed, ${failed} failed`, failed === 0 && results.length > 0];
};
