// What the package may cost: its size, and its speed against named peers, each in one process with the rounds of all
// variants interleaved. The figures are of the lower quartile of rounds. Ends non-zero if a budget is missed.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { assign, createActor, setup } from "xstate";
import * as askgate from "../../wasm/dist/node.js";
import { dist } from "./files.mjs";

const budgets = [];
const budget = (what, is, most, aim, unit) => budgets.push({ what, is, most, aim, unit, ok: is <= most });
const zipped = (...names) =>
  names.reduce((sum, name) => sum + gzipSync(readFileSync(join(dist, name)), { level: 9 }).length, 0) / 1000;

budget("askgate: module and glue, gzip", zipped("askgate.wasm", "web.js"), 62, 41, "kB");
budget("askgate/modal: module and glue, gzip", zipped("modal.wasm", "modal/web.js"), 31, 13, "kB");

/** Nanoseconds of one call, for each variant. */
const measure = (variants, { rounds = 15, ms = 25 } = {}) => {
  const times = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(variants)) {
      let calls = 0;
      const start = process.hrtime.bigint();
      let spent;
      do {
        for (let n = 0; n < 50; n += 1) run();
        calls += 50;
        spent = Number(process.hrtime.bigint() - start);
      } while (spent < ms * 1e6);
      // The first rounds are for the compiler.
      if (round >= 3) times[name].push(spent / calls);
    }
  }
  const quartile = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 4)];
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, quartile(list)]));
};

// A JSON cycle: an ask and an answer in; the push of the prompt, the reply to the asker, the push of its end and the reply
// to whoever answered out.

const CHOICES = [
  { id: "local", label: "On this computer, right now" },
  { id: "staging", label: "In the staging environment" },
  { id: "production", label: "In production, behind the flag" },
];
const PARAMS = {
  surface_id: "surface:12",
  agent_id: "claude:3",
  kind: "choice",
  title: "Where should the migration run?",
  body: "It takes about four minutes and locks the table of orders for some seconds.",
  choices: CHOICES,
  timeout_ms: 86_400_000,
};

/** What a host writes by itself: a map, timers, and the checks by hand. */
class JsQueue {
  #pending = new Map();
  #last = 0;
  #seq = 0;
  #send;

  constructor(send) {
    this.#send = send;
  }

  receive(from, line) {
    const { id, method, params } = JSON.parse(line);
    try {
      if (method === "agent.ask_user") this.#ask(from, id, params);
      else if (method === "agent.ask_answer") this.#send(from, JSON.stringify({ id, result: this.#answer(params) }), this.#flush());
      else throw new Error("unknown_method: There is no such method.");
    } catch (error) {
      this.#send(from, JSON.stringify({ id, error: error.message }));
    }
  }

  #late = [];
  #flush() {
    const late = this.#late;
    this.#late = [];
    return late;
  }

  #ask(from, id, params) {
    const known = ["surface_id", "agent_id", "kind", "title", "body", "choices", "default", "unsafe", "timeout_ms"];
    for (const name of Object.keys(params)) if (!known.includes(name)) throw new Error(`unknown_field: /${name}`);
    const { surface_id, kind, title, choices, timeout_ms } = params;
    if (typeof surface_id !== "string" || surface_id.trim() === "") throw new Error("invalid_value: /surface_id");
    if (!["yesno", "choice", "text", "confirm-command"].includes(kind)) throw new Error("invalid_value: /kind");
    if (typeof title !== "string" || title.trim() === "" || /[\r\n]/.test(title)) throw new Error("invalid_value: /title");
    if (kind === "choice") {
      if (!Array.isArray(choices) || choices.length === 0) throw new Error("missing_field: /choices");
      const ids = new Set(choices.map((choice) => choice.id));
      if (ids.size !== choices.length) throw new Error("duplicate: /choices");
    }
    if (timeout_ms !== undefined && (!Number.isSafeInteger(timeout_ms) || timeout_ms < 1)) throw new Error("invalid_value: /timeout_ms");
    this.#last += 1;
    const request_id = `req:${this.#last}`;
    const request = { request_id, ...params, created_at: Date.now() };
    const timer = timeout_ms && setTimeout(() => this.#end(request_id, { request_id, action: "timeout" }), Math.min(timeout_ms, 2 ** 31 - 1));
    this.#pending.set(request_id, { from, id, request, timer });
    this.#push({ kind: "shown", seq: (this.#seq += 1), request });
  }

  #answer({ request_id, value }) {
    const prompt = this.#pending.get(request_id);
    if (prompt === undefined) return { resolved: false };
    const { kind, choices } = prompt.request;
    if (kind === "choice" && !choices.some((choice) => choice.id === value)) throw new Error("invalid_answer: /value");
    this.#end(request_id, { request_id, action: "ok", value });
    return { resolved: true };
  }

  #end(request_id, response) {
    const { from, id, timer } = this.#pending.get(request_id);
    this.#pending.delete(request_id);
    clearTimeout(timer);
    this.#send(from, JSON.stringify({ id, result: response }));
    this.#push({ kind: "resolved", seq: (this.#seq += 1), request_id, response });
  }

  #push(params) {
    this.#send("web", JSON.stringify({ method: "askUserEvent", params }));
  }
}

let bytesOut = 0;
let asked = 0;
const asks = JSON.stringify(PARAMS);
const askLine = () => `{"id":${(asked += 1)},"method":"agent.ask_user","params":${asks}}`;
const answerLine = (number) => `{"id":"a${number}","method":"agent.ask_answer","params":{"request_id":"req:${number}","value":"staging"}}`;

const queue = new JsQueue((_, line) => {
  bytesOut += line.length;
});
let queued = 0;
const plainCycle = () => {
  queued += 1;
  queue.receive("agent", askLine());
  queue.receive("web", answerLine(queued));
};

const endpoint = new askgate.Endpoint();
const agent = endpoint.connect(0, { answer: false });
const web = endpoint.connect(0, { observer: true });
let gated = 0;
let now = 0;
const drain = () => {
  for (let output; (output = endpoint.poll(now)).type === "send"; ) bytesOut += output.line.length;
};
const gateCycle = () => {
  gated += 1;
  now += 1;
  endpoint.receive(now, agent, askLine());
  endpoint.receive(now, web, answerLine(gated));
  drain();
};

const cycle = measure({ plain: plainCycle, askgate: gateCycle });
budget(`JSON cycle (${Math.round(cycle.askgate)} ns) against a plain JS queue (${Math.round(cycle.plain)} ns)`, cycle.askgate / cycle.plain, 1, 0.5, "×");

// A key of a modal that moves in a list of three.

class JsModal {
  cursor = 0;
  phase = "editing";
  error = null;
  constructor(prompt) {
    this.prompt = prompt;
    this.guard = 0;
  }
  key(now, key) {
    if (this.phase !== "editing") return "none";
    const { length } = this.prompt.choices;
    switch (key) {
      case "Down":
        this.cursor = (this.cursor + 1) % length;
        return "redraw";
      case "Up":
        this.cursor = (this.cursor + length - 1) % length;
        return "redraw";
      case "Enter":
        if (now < this.guard) return "none";
        this.phase = "sent";
        return "submit";
      case "Esc":
        this.phase = "sent";
        return "cancel";
      default:
        return "none";
    }
  }
}
const plainModal = new JsModal(PARAMS);
const modal = new askgate.Modal(PARAMS, { guardMs: 0 }, 0);
const machine = setup({
  types: {},
  actions: {
    down: assign({ cursor: ({ context }) => (context.cursor + 1) % 3 }),
    up: assign({ cursor: ({ context }) => (context.cursor + 2) % 3 }),
  },
}).createMachine({
  context: { cursor: 0 },
  initial: "editing",
  states: { editing: { on: { Down: { actions: "down" }, Up: { actions: "up" }, Enter: "sent", Esc: "sent" } }, sent: {} },
});
const actor = createActor(machine).start();
const KEYS = ["Down", "Down", "Up", "Down", "Up", "Up"];
const EVENTS = KEYS.map((type) => ({ type }));
let pressed = 0;
let redrawn = 0;
const key = measure({
  plain: () => {
    for (const name of KEYS) if (plainModal.key((pressed += 1), name) === "redraw") redrawn += 1;
  },
  askgate: () => {
    for (const name of KEYS) if (modal.key((pressed += 1), name).type === "redraw") redrawn += 1;
  },
  xstate: () => {
    for (const event of EVENTS) actor.send(event);
  },
});
const each = (name) => (key[name] / KEYS.length).toFixed(1);
budget(`modal key (${each("askgate")} ns) against a plain JS class (${each("plain")} ns)`, key.askgate / key.plain, 5, 3, "×");
budget(`modal key against xstate 5 (${each("xstate")} ns)`, (key.askgate / key.xstate) * 40, 1, 0.5, "× 1/40");

// A form of 8 questions with 20 options each, from its text to whether it is right.

const FORM = {
  questions: Array.from({ length: 8 }, (_, question) => ({
    id: `question-${question}`,
    header: `Part ${question}`,
    question: `Which of these should be done for part ${question} of the migration?`,
    multi: question % 2 === 0,
    recommended: 3,
    options: Array.from({ length: 20 }, (_, option) => ({
      label: `Option ${option} of question ${question}`,
      description: `What happens with option ${option}, in some more words.`,
    })),
  })),
};
const formText = JSON.stringify(FORM);
const text = { type: "string", minLength: 1, pattern: "\\S" };
const schema = {
  type: "object",
  additionalProperties: false,
  required: ["questions"],
  properties: {
    timeout_ms: { type: "integer", minimum: 1 },
    questions: {
      type: "array",
      minItems: 1,
      maxItems: 8,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["id", "question", "options"],
        properties: {
          id: { ...text, maxLength: 256 },
          question: { ...text, maxLength: 4096 },
          header: { type: "string", maxLength: 1024 },
          multi: { type: "boolean" },
          recommended: { type: "integer", minimum: 0 },
          options: {
            type: "array",
            maxItems: 20,
            items: {
              type: "object",
              additionalProperties: false,
              required: ["label"],
              properties: { label: { ...text, maxLength: 1024 }, description: { type: "string", maxLength: 4096 } },
            },
          },
        },
      },
    },
  },
};
const ajv = new Ajv();
addFormats(ajv);
const validate = ajv.compile(schema);
const form = measure({
  ajv: () => {
    const given = JSON.parse(formText);
    if (!validate(given)) throw new Error("not valid");
    if (new Set(given.questions.map(({ id }) => id)).size !== given.questions.length) throw new Error("not unique");
    for (const { options, recommended } of given.questions) {
      if (new Set(options.map(({ label }) => label.trim())).size !== options.length) throw new Error("not unique");
      if (recommended !== undefined && recommended >= options.length) throw new Error("out of range");
    }
  },
  askgate: () => askgate.checkPrompt(formText),
});
const us = (ns) => (ns / 1000).toFixed(1);
budget(`form 8×20 (${us(form.askgate)} µs) against JSON.parse, ajv and Sets (${us(form.ajv)} µs)`, (form.askgate / form.ajv) * 1.7, 1, 0.63, "× 1/1.7");

console.log("| what | is | at most | aim |\n|---|---|---|---|");
for (const { what, is, most, aim, unit, ok } of budgets) {
  console.log(`| ${what} | ${is.toFixed(2)} ${unit}${ok ? "" : " **over**"} | ${most} | ${aim} |`);
}
if (bytesOut === 0 || redrawn === 0) throw new Error("nothing was done");
const missed = budgets.filter(({ ok }) => !ok);
console.log(missed.length === 0 ? "all budgets are kept" : `${missed.length} budgets are missed`);
process.exit(missed.length === 0 ? 0 : 1);
