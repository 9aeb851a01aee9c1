// Random calls over everything that the package exports, with hostile values: no call may fail otherwise than by an
// AskgateError, and the objects work on. ASKGATE_CALLS is how many, ASKGATE_SEED which.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
// The entry with all that there is.
import * as askgate from "../../wasm/dist/chat/node.js";
import { scenarioFiles } from "./files.mjs";

const CALLS = Number(process.env.ASKGATE_CALLS ?? 1_000_000);
let state = Number(process.env.ASKGATE_SEED ?? 1) >>> 0 || 1;
/** A whole number below `most`, from a xorshift generator. */
const random = (most) => {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  state >>>= 0;
  return state % most;
};
const pick = (list) => list[random(list.length)];

const TEXTS = [
  "", " ", "a", "s", "r", "q", "yes", "run", "1", "2", "7", "req:1", "prompt:1", "option:0", "option:99999999999999999999",
  "text", "cancel", "answered", "timed_out", "acp", "mcp-2026-07-28", "\u0000", "\u202E", "\uD800", "\uDFFFx\uD83D", "e\u0301".repeat(50),
  "👩‍👩‍👧‍👦".repeat(9), "\uFEFF", "toString", "__proto__", "constructor", "9".repeat(400), "x".repeat(70_000), "[".repeat(300), "{", "}", "null", "[]", "{}",
  '{"a":1,"a":1}', '{"id":1e999}', "-0", "1e400", "Ctrl+", "+", "Ctrl+Ctrl++", "Enter", "Shift+Tab", "line", "body", "utf16",
];
const NUMBERS = [0, 1, 2, 3, 250, 1000, -1, -0, 1.5, NaN, Infinity, -Infinity, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 2 ** 64, 1e300, 5e-324];
const PROMPTS = [
  { surface_id: "s", kind: "yesno", title: "Go?", timeout_ms: 3 },
  { surface_id: "s", kind: "choice", title: "Where?", choices: [{ id: "a" }, { id: "b" }] },
  { surface_id: "s", kind: "text", title: "Why?" },
  { surface_id: "s", kind: "confirm-command", title: "ls", unsafe: true },
  { questions: [{ id: "q", question: "Why?", options: [] }] },
  { questions: [{ id: "q", question: "Which?", multi: true, options: [{ label: "a" }, { label: "b" }] }, { id: "r", question: "?", options: [{ label: "x" }] }] },
];
const OTHERS = [undefined, null, true, false, [], {}, () => {}, Symbol("s"), 10n, new Date(NaN), new Uint8Array([255, 254, 0]), new Proxy({}, {}), Object.create(null)];
const cyclic = {};
cyclic.self = cyclic;
OTHERS.push(cyclic, { toJSON: () => undefined }, { toJSON: () => { throw new RangeError("from toJSON"); } });
const OBJECTS = () => [
  ...PROMPTS,
  { dialect: "agent", request: pick(PROMPTS), asker: pick(["1", "2", "-1", "x"]) },
  { dialect: "session", session: "s", run: "r", request: pick(PROMPTS) },
  { kind: "request", prompt: pick(["1", "2", "x", "18446744073709551615"]), connection: "1" },
  { kind: "session", prompt: pick(["1", "2", "3"]), session: "s", run: "r", connection: "1" },
  { kind: "chat", prompt: "1", session: "s", run: "r", address: { platform: "t", bot: "b", chat: "c", user: "u" } },
  { platform: "t", bot: "b", chat: "c", user: "u" },
  { value: pick(TEXTS) }, { answers: [{ id: "q", custom: pick(TEXTS) }] }, { cancel: pick(TEXTS) },
  { kind: "shown", seq: pick(NUMBERS), request: { ...pick(PROMPTS), request_id: pick(["req:1", "req:2", "x"]) } },
  { kind: "resolved", seq: pick(NUMBERS), request_id: pick(["req:1", "req:2", "x"]) },
  { seq: pick(NUMBERS), pending: pick([[], [{ request_id: "req:3", surface_id: "s", new: [1.5, -1, null] }], 1]) },
  { code: "busy", path: pick(["/answers/0", "/answers/9", "/value", ""]), message: pick(TEXTS) },
  { type: pick(["key", "paste", "setText", "activate", "focus", "resize", "x"]), key: pick(TEXTS), text: pick(TEXTS), control: pick(TEXTS), rows: pick(NUMBERS) },
  { observer: pick(OTHERS), answer: true, operator: true, runtime: true },
  { surface: pick(TEXTS) }, { session: pick(TEXTS) }, { limits: { lineBytes: pick(NUMBERS) } }, { limits: { nothing: 1 } },
  { firstPromptId: pick([...NUMBERS, ...TEXTS]) }, { sessionId: "s" }, { requestId: pick([1, "1", {}]) },
  { rows: pick(NUMBERS), guardMs: pick([...NUMBERS, undefined]), confirmMs: pick(NUMBERS), deadline: pick(NUMBERS) },
  { elicitation: { form: {} } }, { action: "accept", content: { question_0: pick(TEXTS) } },
];
const LINES = scenarioFiles()
  .filter(([name]) => name.startsWith("endpoint/"))
  .flatMap(([, path]) => JSON.parse(readFileSync(path, "utf8")).steps.flatMap(({ send, raw }) => (send ? [JSON.stringify(send)] : raw ? [raw] : [])));

const value = () => {
  switch (random(9)) {
    case 0:
      return pick(TEXTS);
    case 1:
      return pick(NUMBERS);
    case 2:
      return pick(OTHERS);
    case 3:
    case 4:
      return pick(OBJECTS());
    case 5:
      return String(random(6));
    case 6:
      return pick(LINES);
    default:
      return random(5000);
  }
};

const prompt = () => pick(PROMPTS);
const digits = () => String(1 + random(6));
const name = () => pick(["s", "r", "q", "a"]);
const claim = () =>
  pick([
    { kind: "request", prompt: digits(), connection: "1" },
    { kind: "session", prompt: digits(), session: "s", run: "r", connection: "1" },
    { kind: "chat", prompt: digits(), session: "s", run: "r", address: address() },
  ]);
const address = () => pick([{ platform: "t", bot: "b", chat: "c", user: "u" }, { platform: "telegram", bot: "1", chat: "-100", user: "5" }]);
const resolution = () =>
  pick(["decline", "cancel", { cancel: pick(TEXTS) }, { value: pick(["yes", "a", "run"]) }, { answers: [{ id: "q", custom: "so" }] }]);
const asked = () => {
  const request = prompt();
  const asker = pick([undefined, "1", "2"]);
  return request.questions ? { dialect: "session", session: "s", run: "r", request, asker } : { dialect: "agent", request, asker };
};
const mirrored = () => ({ ...PROMPTS[random(4)], request_id: `req:${random(20)}` });
const push = () =>
  pick([
    { kind: "shown", seq: random(500), request: mirrored() },
    { kind: "resolved", seq: random(500), request_id: `req:${random(20)}` },
    { kind: "snapshot", seq: random(500), pending: [mirrored(), mirrored()] },
  ]);
const key = () => pick(["Enter", "Down", "Up", "Tab", "Shift+Tab", "Space", "PageDown", "y", "o", "1", "é", "Backspace"]);
const control = () => pick(["yes", "no", "option:0", "option:1", "custom", "text", "submit", "ack", "run", "next", "cancel"]);
const input = () =>
  pick([{ type: "key", key: key() }, { type: "paste", text: pick(TEXTS) }, { type: "activate", control: control() }, { type: "resize", rows: random(9) }]);
const protocol = () => pick(["acp", "mcp-2025-11-25", "mcp-2026-07-28"]);
const capabilities = () => pick([{}, { elicitation: {} }, { elicitation: { form: {} } }]);
const text = () => pick(TEXTS);
const outcome = () => pick(["answered", "declined", "timed_out"]);
const flag = () => random(2) === 0;

const BYTES = [new Uint8Array(16), new Uint8Array(16).fill(1), new Uint8Array(15), new Uint8Array(0), new Uint8Array(1 << 20)];
const handle = () => (random(4) ? new Uint8Array(16).fill(random(256)) : pick(BYTES));
const audiences = () => pick([undefined, [], [{ chat: "-100", users: ["5", "6"] }], [{ chat: "7", thread: "8", users: [] }], [{ chat: text(), users: [text()] }]]);
/** Tokens of buttons that routers made. */
const tokens = ["a"];
const update = () => {
  const [chat, from] = [{ id: -100 }, { id: pick([5, 6]) }];
  const message = { message_id: random(40), date: 1, chat, from, text: pick(["so", "/stop", text()]) };
  const press = { id: String(random(999)), from, message: { message_id: random(40), date: 1, chat }, data: pick(tokens) };
  return pick([{ update_id: 1, message }, { update_id: 1, edited_message: message }, { update_id: 1, callback_query: press }, { t: "MESSAGE_CREATE", d: message }]);
};
const gate = () => pick(objects.Gate.length ? objects.Gate : [null]);
const answer = () =>
  pick([null, { status: 200, body: `{"ok":true,"result":{"message_id":${random(40)}}}` }, { status: 429, body: '{"ok":false,"error_code":429,"parameters":{"retry_after":1}}' }, { status: pick([200, 404, 500, 99, 600]), body: text() }]);

// Time goes on in most calls.
let done = 0;
const now = () => Math.floor(done / 10);

/** What the parameters of each method are, so that most calls get somewhere. */
const METHODS = {
  Endpoint: {
    connect: [now, () => ({ observer: flag(), answer: flag(), operator: flag(), runtime: flag() })],
    receive: [now, digits, () => pick(LINES)],
    poll: [now],
    nextDeadline: [],
    disconnect: [now, digits],
    closeSurface: [now, name],
    endRun: [now, name, name],
    endSession: [now, name],
    shutdown: [now],
    canAsk: [name, name],
    paneOpened: [now, () => random(5), name, name],
    paneFailed: [now, () => random(5), text],
    paneClosed: [now, name],
    attachClient: [now, digits, name, name, protocol, capabilities],
  },
  Gate: {
    ask: [now, asked],
    bind: [now, name, digits],
    unbind: [now, name, digits],
    bindChat: [now, name, address],
    unbindChat: [now, name, address],
    attachClient: [now, digits, name, name, protocol, capabilities],
    canAsk: [name, name],
    acknowledge: [now, claim],
    back: [now, claim],
    resolve: [now, claim, resolution],
    lose: [now, claim],
    withdraw: [now, digits, digits],
    closeSurface: [now, name],
    disconnect: [now, digits],
    endRun: [now, name, name],
    endSession: [now, name],
    shutdown: [now],
    poll: [now],
    nextDeadline: [],
    pending: [() => pick([undefined, { surface: "s" }, { session: "s" }])],
    get: [digits],
    asker: [digits],
    snapshot: [],
  },
  Router: {
    addressOf: [update],
    bindChat: [now, gate, name, address],
    show: [now, gate, digits, handle, audiences],
    resolved: [now, gate, digits],
    endRun: [now, gate, name, name],
    loseChat: [now, gate, () => pick(["-100", "7", "c"])],
    handle: [now, gate, update],
    report: [now, gate, digits, answer],
    poll: [now],
  },
  Mirror: {
    apply: [push],
    snapshot: [() => ({ seq: random(500), pending: [mirrored()] })],
    reset: [],
    head: [name],
    count: [name],
    len: [],
    pending: [],
    surfaces: [],
  },
  Modal: {
    input: [now, input],
    key: [now, key, flag, flag],
    paste: [now, text],
    setText: [now, text],
    activate: [now, control],
    focus: [now, control],
    resize: [now, () => random(9)],
    tick: [now],
    acknowledged: [now],
    reject: [now, () => ({ code: "busy", path: pick(["/answers/0", "/answers/9", "/value", ""]), message: text() })],
    close: [now, outcome],
    nextDeadline: [],
    view: [],
  },
};
const FUNCTIONS = {
  checkPrompt: [prompt],
  checkAnswer: [prompt, resolution],
  displaySafe: [text, () => pick(["line", "body", "command"])],
  cut: [text, () => random(80), () => pick(["graphemes", "scalars", "utf16", "bytes"])],
  canElicit: [protocol, capabilities],
  elicitationRequest: [protocol, () => PROMPTS[4 + random(2)], () => pick([{ sessionId: "s" }, { requestId: 1 }])],
  elicitationResult: [protocol, () => PROMPTS[4 + random(2)], () => ({ action: "accept", content: { question_0: text() } })],
  keyInput: [() => ({ key: pick(["Escape", "a", "Dead", "Process", text()]), ctrlKey: flag() })],
  initSync: [value],
};
for (const [name, methods] of Object.entries(METHODS)) {
  // None is forgotten here.
  const has = Object.getOwnPropertyNames(askgate[name].prototype).filter((method) => method !== "constructor");
  assert.deepEqual(Object.keys(methods).sort(), has.sort());
}

/** The arguments of a call: now and then one of them is anything, or there are more or fewer. */
const given = (parameters) => {
  const args = parameters.map((parameter) => (random(12) === 0 ? value() : parameter()));
  if (random(30) === 0) args.length = random(args.length + 1);
  return args;
};
const make = {
  Endpoint: () => new askgate.Endpoint(random(6) ? undefined : value()),
  Gate: () => new askgate.Gate(random(6) ? undefined : value()),
  Router: () =>
    random(6)
      ? new askgate.Router(pick(["telegram", "discord"]), "1", new Uint8Array(32))
      : new askgate.Router(value(), value(), pick([value(), new Uint8Array(31), new Uint8Array(32)])),
  Mirror: () => new askgate.Mirror(),
  Modal: () => new askgate.Modal(random(6) ? prompt() : value(), random(6) ? { guardMs: random(3) } : value(), random(6) ? now() : value()),
};
const objects = Object.fromEntries(Object.keys(make).map((name) => [name, []]));

let refused = 0;
const codes = new Map();
const attempt = (call) => {
  done += 1;
  try {
    return call();
  } catch (error) {
    if (!(error instanceof askgate.AskgateError)) {
      // What a caller's own toJSON or getter throws is the caller's; all else is ours.
      throw error;
    }
    refused += 1;
    codes.set(error.code, (codes.get(error.code) ?? 0) + 1);
    if (error.code === "panicked" || error.code === "poisoned") throw error;
    return undefined;
  }
};

const started = Date.now();
while (done < CALLS) {
  const name = pick(Object.keys(make));
  const held = objects[name];
  if (held.length < 4 || random(200) === 0) {
    const made = attempt(make[name]);
    if (made !== undefined) held.push(made);
    if (held.length > 8) held.shift().free();
    continue;
  }
  if (random(10) === 0) {
    const called = pick(Object.keys(FUNCTIONS));
    attempt(() => askgate[called](...given(FUNCTIONS[called])));
    continue;
  }
  const object = pick(held);
  if (random(300) === 0) {
    object.free();
    // Some are used, and freed, once more.
    if (random(2)) held.splice(held.indexOf(object), 1);
    else if (random(2)) object.free();
  }
  const method = pick(Object.keys(METHODS[name]));
  const gave = attempt(() => object[method](...given(METHODS[name][method])));
  for (const [, token] of gave?.body?.matchAll(/"(?:callback_data|custom_id)":"([^"]*)"/g) ?? []) tokens[random(50)] = token;
  if (random(60) === 0) held.splice(held.indexOf(object), 1);
}

// The package works on: the same questions have the same answers as at first.
const modal = new askgate.Modal(PROMPTS[0], { guardMs: 0 }, 0);
assert.deepEqual(modal.key(0, "y"), { type: "submit", value: "yes" });
modal.free();
modal.free();
assert.throws(() => modal.view(), { name: "AskgateError", code: "freed" });
for (const now of [2 ** 53, 1.5, NaN, -1, Infinity]) {
  const fresh = new askgate.Modal(PROMPTS[0], {}, 0);
  assert.throws(() => fresh.tick(now), { code: "invalid_value", path: "/now" });
  assert.throws(() => fresh.tick("1"), { code: "wrong_type", path: "/now" });
  fresh.tick(2 ** 53 - 1);
  fresh.free();
}
assert.deepEqual(askgate.displaySafe("\uD800x", "line"), { text: "\uFFFDx", hasHidden: false });
const last = new askgate.Gate({ firstPromptId: "18446744073709551614" });
assert.equal(last.ask(0, { dialect: "agent", request: PROMPTS[0] }), "18446744073709551614");
if (typeof Symbol.dispose === "symbol") last[Symbol.dispose]();
const seconds = (Date.now() - started) / 1000;

// A router and its gate, and what a call with the wrong ones says.
const ROUTER = ["telegram", "1", new Uint8Array(32)];
for (const [path, platform, bot, key] of [["/platform", "irc", "1", ROUTER[2]], ["/bot", "telegram", 1, ROUTER[2]], ["/key", "telegram", "1", new Uint8Array(31)], ["/key", "telegram", "1", "k".repeat(32)]]) {
  assert.throws(() => new askgate.Router(platform, bot, key), { name: "AskgateError", path });
}
const router = new askgate.Router(...ROUTER);
const owner = new askgate.Gate();
const told = owner.ask(0, { dialect: "agent", request: PROMPTS[0] });
const twice = owner.ask(0, { dialect: "agent", request: PROMPTS[0] });
const users = [{ chat: "5", users: ["5"] }];
assert.equal(router.show(0, owner, told, BYTES[0], users), 1);
assert.throws(() => router.show(0, owner, twice, BYTES[0], users), { code: "id_in_use", path: "/handle" });
assert.throws(() => router.show(0, owner, "9", BYTES[1], users), { code: "not_found", path: "/prompt" });
assert.throws(() => router.show(0, owner, told, BYTES[2], users), { code: "invalid_value", path: "/handle" });
assert.throws(() => router.show(0, owner, told, BYTES[0], [{ chat: "5", users: [5] }]), { code: "wrong_type", path: "/audiences/0/users/0" });
assert.throws(() => router.resolved(0, owner, told), { code: "not_found", path: "/prompt" });
assert.throws(() => router.bindChat(0, owner, "s", { platform: "discord", bot: "1", chat: "1", user: "2" }), { code: "invalid_value", path: "/address" });
assert.throws(() => router.handle(0, new askgate.Mirror(), "{}"), { code: "wrong_type", path: "/gate" });
assert.throws(() => router.handle(0, owner, "{"), { code: "parse_error", path: "/update" });
assert.throws(() => router.report(0, owner, "1", { status: 7, body: "" }), { code: "invalid_value", path: "/answer/status" });
assert.throws(() => router.handle(0, owner, { update_id: 1, message: { text: "\uD800" } }), { code: "parse_error", path: "/update" });
for (const now of [2 ** 53, 1.5, NaN, -1]) assert.throws(() => router.poll(now), { code: "invalid_value", path: "/now" });
owner.free();
assert.throws(() => router.handle(0, owner, "{}"), { code: "freed" });
router.free();
router.free();
assert.throws(() => router.poll(0), { code: "freed" });
console.log(`${done} calls in ${seconds.toFixed(0)} s, ${refused} refused: ${[...codes].map((pair) => pair.join(" ")).join(", ")}`);
