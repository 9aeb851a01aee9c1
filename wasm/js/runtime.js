// The one instance of the module, and how calls cross to it. Nothing here touches a page.

/** What went wrong: a stable code, a JSON pointer to what is at fault, and one sentence that says what to do. */
export class AskgateError extends Error {
  constructor(code, path, message, more) {
    super(message, more && "cause" in more ? { cause: more.cause } : undefined);
    this.name = "AskgateError";
    this.code = code;
    this.path = path;
    if (more?.field !== undefined) this.field = more.field;
    if (more?.outcome !== undefined) this.outcome = more.outcome;
  }
}

export const fail = (code, path, message, more) => {
  throw new AskgateError(code, path, message, more);
};

const encoder = new TextEncoder();
// A byte order mark in a text is part of it.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The exports of the instance. */
export let wasm;

let memory;
/** Where the stack of the module begins, and where it is again between calls. */
let stack;
let bottom;
let header = 0;
let bytes = new Uint8Array();
let words = new Uint32Array();
let numbers = new Float64Array();
/** The part of memory that takes the texts of a call. */
let input = bytes;
let used = 0;

/** Takes the exports of an instance. The first one stays. */
export const attach = (exports) => {
  if (wasm !== undefined) return;
  if (typeof exports?.ag_header !== "function") fail("load_failed", "", "Give the module of this package and version.");
  // Of an object that the engine did not freeze, members are found faster.
  wasm = { ...exports };
  memory = exports.memory;
  stack = exports.__stack_pointer;
  bottom = stack.value;
  header = wasm.ag_header();
  look();
};

export const isAttached = () => wasm !== undefined;

const need = () => {
  if (wasm === undefined) fail("not_initialised", "", "Await init() first.");
};

/** Memory that has grown is another buffer. */
const look = () => {
  bytes = new Uint8Array(memory.buffer);
  words = new Uint32Array(memory.buffer, header, 2);
  numbers = new Float64Array(memory.buffer, header + 8, 1);
};

const SMALL = 1 << 14;
const KEEP = 1 << 20;
const MOST = 1 << 28;

/** Makes room for the texts of a call. */
const reserve = (length) => {
  if (length > MOST) fail("too_long", "", "Give less text in one call.");
  const size = length <= SMALL ? SMALL : length;
  let at;
  try {
    at = wasm.ag_reserve(size);
  } catch (cause) {
    input = new Uint8Array();
    fail("too_long", "", "Give less text in one call; there is no memory for it.", { cause });
  }
  if (bytes.buffer !== memory.buffer) look();
  input = new Uint8Array(memory.buffer, at, size);
};

/** Begins the texts of a call that are so many units of UTF-16 or bytes long in all. */
const begin = (length) => {
  need();
  const most = length * 3;
  if (most > input.length || (input.length > KEEP && most <= SMALL)) reserve(most);
  else if (input.buffer !== memory.buffer) {
    look();
    input = new Uint8Array(memory.buffer, input.byteOffset, input.length);
  }
  used = 0;
};

/** Writes one of the texts; gives its length in bytes. A lone surrogate becomes U+FFFD. */
const put = (text) => {
  const { written } = encoder.encodeInto(text, used === 0 ? input : input.subarray(used));
  used += written;
  return written;
};

export const put1 = (a) => {
  begin(a.length);
  return put(a);
};

/** Writes two texts; the lengths are in `lengths`. */
export const puts = (...texts) => {
  let length = 0;
  for (const text of texts) length += text.length;
  begin(length);
  return texts.map(put);
};

/** As `puts`, with bytes before the texts. */
export const putsAfter = (given, ...texts) => {
  let length = given.length;
  for (const text of texts) length += text.length;
  begin(length);
  input.set(given);
  used = given.length;
  return texts.map(put);
};

export const putBytes = (given) => {
  begin(given.length);
  input.set(given);
  return given.length;
};

/** The text that the call gave. */
export const text = () => {
  if (bytes.buffer !== memory.buffer) look();
  const start = words[0];
  return decoder.decode(bytes.subarray(start, start + words[1]));
};

/** The JSON that the call gave. */
export const json = () => JSON.parse(text());

/** The number that the call gave. */
export const number = () => {
  if (bytes.buffer !== memory.buffer) look();
  return numbers[0];
};

/** Throws the error that the call gave. */
export const thrown = () => {
  const { code, path, message, ...more } = json();
  fail(code, path, message, more);
};

/** Makes a call that belongs to no object. */
export const call = (name, ...args) => {
  const result = enter(name, args);
  return result < 0 ? thrown() : result;
};

const enter = (name, args) => {
  need();
  try {
    return wasm[name](...args);
  } catch (error) {
    return trapped(error);
  }
};

const trapped = (cause) => {
  // What a trap leaves of the stack and of the texts is nobody's.
  stack.value = bottom;
  input = new Uint8Array();
  fail("panicked", "", "Report this; the object cannot be used any more.", { cause });
};

const lost =
  typeof FinalizationRegistry === "undefined"
    ? undefined
    : new FinalizationRegistry(({ free, at }) => wasm[free](at));

const POISONED = -2;
const FREED = -1;

/** An object of the module. */
export class Held {
  #at = FREED;
  #free;

  constructor(free, make) {
    need();
    this.#free = free;
    this.#at = make();
    lost?.register(this, { free, at: this.#at }, this);
  }

  /** Calls an export on the object. */
  _call(run, a, b, c, d, e, f) {
    const at = this._at();
    let result;
    try {
      result = run(at, a, b, c, d, e, f);
    } catch (error) {
      this._broke(error);
    }
    return result < 0 ? thrown() : result;
  }

  /** The number of the object, which must be usable. */
  _at() {
    const at = this.#at;
    if (at < 0) this.#refuse();
    return at;
  }

  /** Takes what a call threw that should not throw. */
  _broke(error) {
    this.#poison();
    trapped(error);
  }

  /** Calls an export on the object and another one; an internal error breaks both. */
  _callWith(other, run, a, b, c, d, e) {
    const at = other.#at;
    if (at < 0) other.#refuse();
    try {
      return this._call(run, at, a, b, c, d, e);
    } catch (error) {
      if (this.poisoned) other.#poison();
      throw error;
    }
  }

  /** Whether an internal error has broken the object. */
  get poisoned() {
    return this.#at === POISONED;
  }

  /** Gives the memory of the object back. Twice is fine. */
  free() {
    const at = this.#at;
    if (at < 0) return;
    this.#at = FREED;
    lost?.unregister(this);
    wasm[this.#free](at);
  }

  #poison() {
    this.#at = POISONED;
    lost?.unregister(this);
  }

  #refuse() {
    if (this.#at === POISONED) fail("poisoned", "", "Make another object; an internal error has broken this one.");
    fail("freed", "", "Make another object; this one was freed.");
  }
}

if (typeof Symbol.dispose === "symbol") {
  Object.defineProperty(Held.prototype, Symbol.dispose, { value: Held.prototype.free, configurable: true, writable: true });
}

/** A whole number from 0 to 2^53-1: a time or a count. */
export const whole = (value, path) => {
  if (!Number.isSafeInteger(value) || value < 0) wrongNumber(value, path);
  return value;
};

const wrongNumber = (value, path) =>
  fail(
    typeof value === "number" ? "invalid_value" : "wrong_type",
    path,
    "Give a whole number from 0 to 2^53-1.",
  );

export const string = (value, path) => (typeof value === "string" ? value : fail("wrong_type", path, "Give a string."));

export const object = (value, path) =>
  typeof value === "object" && value !== null ? value : fail("wrong_type", path, "Give an object.");

/** JSON of a value, or the value if it is JSON already. */
export const toJson = (value, path) => {
  if (typeof value === "string") return value;
  try {
    const text = JSON.stringify(object(value, path));
    if (typeof text === "string") return text;
  } catch (cause) {
    if (cause instanceof AskgateError) throw cause;
    fail("invalid_value", path, "Give what JSON can hold.", { cause });
  }
  return fail("wrong_type", path, "Give an object.");
};

/** The number of a connection, or one that none has. */
export const connection = (id, path) => {
  const digits = string(id, path);
  const number = Number(digits);
  return Number.isSafeInteger(number) && number > 0 && String(number) === digits ? number : 0;
};

/** One of some names, by its place. */
export const place = (names, value, path) => {
  const at = names.indexOf(value);
  return at < 0 ? fail("invalid_value", path, `Give one of ${names.join(", ")}.`) : at;
};
