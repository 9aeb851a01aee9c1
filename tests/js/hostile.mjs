// Random calls over everything that the package exports, with hostile values: no call may fail otherwise than by an
// AskgateError, and the objects work on. ASKGATE_CALLS is how many, ASKGATE_SEED which.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as askgate from "../../wasm/dist/node.js";
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

/** Mostly what fits the name of a parameter, so that calls get somewhere. */
const make = {
  Endpoint: (config) => new askgate.Endpoint(config),
  Gate: (config) => new askgate.Gate(config),
  Mirror: () => new askgate.Mirror(),
  Modal: () => new askgate.Modal(random(3) ? pick(PROMPTS) : value(), random(2) ? pick(OBJECTS()) : { guardMs: 0 }, random(2) ? 0 : value()),
};
const methods = Object.fromEntries(
  Object.keys(make).map((name) => [
    name,
    [...Object.getOwnPropertyNames(askgate[name].prototype).filter((method) => method !== "constructor" && !method.startsWith("_")), "free"],
  ]),
);
const functions = ["checkPrompt", "checkAnswer", "displaySafe", "cut", "canElicit", "elicitationRequest", "elicitationResult", "keyInput", "initSync"];
const objects = Object.fromEntries(Object.keys(make).map((name) => [name, []]));

let refused = 0;
let done = 0;
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
  if (held.length < 4 || random(400) === 0) {
    const made = attempt(() => make[name](random(4) ? undefined : value()));
    if (made !== undefined) held.push(made);
    if (held.length > 8) held.shift().free();
    continue;
  }
  if (random(12) === 0) {
    const called = pick(functions);
    attempt(() => askgate[called](...Array.from({ length: random(4) }, value)));
    continue;
  }
  const object = pick(held);
  const method = random(50) === 0 ? "free" : pick(methods[name].filter((method) => method !== "free"));
  // Time goes on in most calls; how much is up to chance.
  const now = random(8) ? Math.floor(done / 10) : value();
  const args = method === "poll" || method === "tick" ? [now] : [now, ...Array.from({ length: random(6) }, value)];
  const isTimeless = ["apply", "snapshot", "head", "count", "canAsk", "pending", "get", "asker"].includes(method);
  if (method === "receive" && random(3)) args.splice(1, args.length, String(1 + random(3)), pick(LINES));
  attempt(() => object[method](...(isTimeless ? args.slice(1) : args)));
  if (method === "free" && random(2)) held.splice(held.indexOf(object), 1);
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
const gate = new askgate.Gate({ firstPromptId: "18446744073709551614" });
assert.equal(gate.ask(0, { dialect: "agent", request: PROMPTS[0] }), "18446744073709551614");
if (typeof Symbol.dispose === "symbol") gate[Symbol.dispose]();
const seconds = (Date.now() - started) / 1000;
console.log(`${done} calls in ${seconds.toFixed(0)} s, ${refused} refused: ${[...codes].map((pair) => pair.join(" ")).join(", ")}`);
