// What the runners of all kinds of scenarios share.

import { canonical, equal } from "./json.mjs";

export const show = canonical;
export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** An object whose fields are taken one by one; what is left is an error of the file. */
export class Fields {
  constructor(what, value) {
    if (!isObject(value)) throw new Error(`${what} must be an object, not ${show(value)}`);
    this.what = what;
    this.map = { __proto__: null, ...value };
  }
  take(name) {
    const value = this.map[name];
    delete this.map[name];
    return value;
  }
  need(name) {
    if (!(name in this.map)) throw new Error(`${this.what} has no "${name}"`);
    return this.take(name);
  }
  typed(name, type) {
    const value = this.take(name);
    if (value !== undefined && typeof value !== type) throw new Error(`"${name}" of ${this.what} is ${show(value)}`);
    return value;
  }
  needText(name) {
    const value = this.need(name);
    if (typeof value !== "string") throw new Error(`"${name}" of ${this.what} is ${show(value)}`);
    return value;
  }
  needList(name) {
    const value = this.need(name);
    if (!Array.isArray(value)) throw new Error(`"${name}" of ${this.what} is ${show(value)}`);
    return value;
  }
  fields(name) {
    const value = this.take(name);
    return value === undefined ? undefined : new Fields(name, value);
  }
  /** The first of two names of a field that is there. */
  either(name, other) {
    return this.take(name in this.map ? name : other);
  }
  hasAny(names) {
    return names.some((name) => name in this.map);
  }
  action(names) {
    const name = names.find((name) => name in this.map);
    if (name === undefined) throw new Error(`${this.what} has no action that is known`);
    return [name, this.take(name)];
  }
  done() {
    const [left] = Object.keys(this.map);
    if (left !== undefined) throw new Error(`${this.what} has a field that is not known: "${left}"`);
  }
}

/** Values captured by `$=word`, and comparison by the wildcards. */
export class Captures {
  #words = new Map();

  fill(sent) {
    if (typeof sent === "string") {
      if (!sent.startsWith("$=")) return sent;
      if (!this.#words.has(sent)) throw new Error(`nothing was captured as "${sent.slice(2)}"`);
      return this.#words.get(sent);
    }
    if (Array.isArray(sent)) return sent.map((item) => this.fill(item));
    if (!isObject(sent) || sent.text !== undefined) return this.#fillFields(sent);
    return this.#fillFields(sent);
  }

  #fillFields(sent) {
    if (!isObject(sent) || Object.getPrototypeOf(sent) !== null) return sent;
    const filled = Object.create(null);
    for (const key of Object.keys(sent)) filled[key] = this.fill(sent[key]);
    return filled;
  }

  compare(expected, got, place = "") {
    const differs = (wanted) => {
      throw new Error(`${place && `at ${place}: `}expected ${show(wanted)} got ${show(got)}`);
    };
    if (typeof expected === "string") {
      if (expected === "$any") return;
      if (expected.startsWith("$=")) {
        if (!this.#words.has(expected)) this.#words.set(expected, got);
        else if (!equal(this.#words.get(expected), got)) differs(this.#words.get(expected));
        return;
      }
      if (expected.startsWith("$prefix:")) {
        if (typeof got !== "string" || !got.startsWith(expected.slice(8))) differs(expected);
        return;
      }
      if ((expected.startsWith("$$") ? expected.slice(1) : expected) !== got) differs(expected);
    } else if (Array.isArray(expected) && Array.isArray(got) && expected.length === got.length) {
      expected.forEach((item, n) => this.compare(item, got[n], `${place}/${n}`));
    } else if (isObject(expected) && isObject(got) && equal(Object.keys(expected).sort(), Object.keys(got).sort())) {
      for (const key of Object.keys(expected)) this.compare(expected[key], got[key], `${place}/${key}`);
    } else if (!equal(expected, got)) differs(expected);
  }
}

/** What the package gave, with the step it came after. */
export class Record {
  step = 0;
  lines = [];
  add(value) {
    this.raw(canonical(value));
  }
  raw(json) {
    this.lines.push([this.step, json]);
  }
  steps(steps, run) {
    steps.forEach((step, n) => {
      this.step = n;
      try {
        run(step);
      } catch (error) {
        throw new Error(`step ${n}: ${error.message}`);
      }
    });
  }
}

export const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

export const readConfig = (file) => {
  const fields = file.fields("config") ?? new Fields("config", {});
  const limits = {};
  for (const [name, value] of Object.entries(fields.take("limits") ?? {})) limits[camel(name)] = value;
  const config = {
    firstPromptId: fields.take("first_prompt_id"),
    wallClockOffset: fields.take("wall_clock_offset"),
    limits,
  };
  return [config, fields];
};

export const justTrue = (name, value) => {
  if (value !== true) throw new Error(`"${name}" must be true, not ${show(value)}`);
};

export const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** What a call gives, or the refusal that it throws. */
export const refusal = (error) => {
  if (error.name !== "AskgateError") throw error;
  const refused = { error: error.code, field: error.field, outcome: error.outcome };
  if (error.code === "invalid_answer") refused.path = error.path;
  return refused;
};

/** An event of a gate as the files write it. */
export const written = (event) => {
  const { type, seq, prompt, outcome, answers, reason, session, run, available } = event;
  if (type === "availability") return { available: [session, run], is: available };
  if (type === "shown") return { shown: { seq, prompt: Number(prompt) } };
  return { resolved: { seq, prompt: Number(prompt), outcome, answers, reason } };
};
