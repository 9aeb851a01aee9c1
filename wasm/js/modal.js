import { Held, call, fail, json, number, object, put1, puts, string, text, thrown, toJson, whole, wasm } from "./runtime.js";

const NAMES = "Enter Esc Tab Up Down Left Right Home End PageUp PageDown Space Backspace Delete".split(" ");
const MODS = { Ctrl: 1 << 24, Alt: 1 << 25, Shift: 1 << 26, Meta: 1 << 27 };
const REPEAT = 1 << 28;
const COMPOSING = 1 << 29;

/** The numbers of keys that were named before. */
const keys = new Map();

const NAMED = 0x110000;

/** The number of a key. Those that come most are compared with, which takes an engine half as long as looking one up. */
const numberOf = (name) => {
  switch (name) {
    case "Down":
      return NAMED + 4;
    case "Up":
      return NAMED + 3;
    case "Enter":
      return NAMED;
    case "Tab":
      return NAMED + 2;
    case "Space":
      return NAMED + 11;
    case "Backspace":
      return NAMED + 12;
    case "Left":
      return NAMED + 5;
    case "Right":
      return NAMED + 6;
    default:
      return keys.get(name) ?? keyNumber(name);
  }
};

const keyNumber = (name) => {
  string(name, "/key");
  let rest = name;
  let number = 0;
  for (let plus; (plus = rest.indexOf("+")) >= 0 && plus < rest.length - 1; rest = rest.slice(plus + 1)) {
    const held = rest.slice(0, plus);
    if (!Object.hasOwn(MODS, held)) return unknownKey();
    number |= MODS[held];
  }
  const named = NAMES.indexOf(rest);
  if (named >= 0) number |= NAMED + named;
  else if (isCharacter(rest)) number |= rest.codePointAt(0);
  else return unknownKey();
  if (keys.size < 512) keys.set(name, number);
  return number;
};

/** One scalar value of Unicode, so no half of a surrogate pair. */
const isCharacter = (text) => {
  const point = text.codePointAt(0);
  return point !== undefined && (point < 0xd800 || point > 0xdfff) && String.fromCodePoint(point) === text;
};

const unknownKey = () =>
  fail("invalid_value", "/key", "Give a character or the name of a key, with Ctrl+, Alt+, Shift+ or Meta+ before it.");

const PLAIN = ["none", "redraw", "decline", "cancel", "acknowledge", "back"].map((type) => Object.freeze({ type }));

const effect = (given) => {
  if (given < 6) return PLAIN[given];
  return given === 6 ? { type: "submit", value: text() } : { type: "submit", answers: json() };
};

const optional = (value, path) => (value === undefined || value === null ? NaN : whole(value, path));
const rowsOf = (value, path) => (value === Infinity || value === undefined ? Infinity : whole(value, path));

export class Modal extends Held {
  constructor(prompt, options = {}, now) {
    super("ag_modal_free", () => {
      const { rows, guardMs, confirmMs = 5000, terminal = true, deadline } = object(options ?? {}, "/options");
      const known = toJson(prompt, "/prompt");
      whole(now, "/now");
      const args = [
        rowsOf(rows, "/options/rows"),
        optional(guardMs, "/options/guardMs"),
        whole(confirmMs, "/options/confirmMs"),
        terminal ? 1 : 0,
        optional(deadline, "/options/deadline"),
      ];
      return call("ag_modal_new", now, put1(known), ...args);
    });
  }

  key(now, name, repeat = false, composing = false) {
    const packed = numberOf(name) | (repeat ? REPEAT : 0) | (composing ? COMPOSING : 0);
    whole(now, "/now");
    const at = this._at();
    let given;
    // As `_call` does it, but straight to one export, which an engine makes a shorter way of.
    try {
      given = wasm.ag_modal_key(at, now, packed);
    } catch (error) {
      this._broke(error);
    }
    return given < 0 ? thrown() : effect(given);
  }

  paste(now, pasted) {
    whole(now, "/now");
    return effect(this._call(wasm.ag_modal_paste, now, put1(string(pasted, "/text"))));
  }

  setText(now, value) {
    whole(now, "/now");
    return effect(this._call(wasm.ag_modal_set_text, now, put1(string(value, "/text"))));
  }

  activate(now, control) {
    whole(now, "/now");
    return effect(this._call(wasm.ag_modal_control, now, put1(string(control, "/control")), 1));
  }

  focus(now, control) {
    whole(now, "/now");
    return effect(this._call(wasm.ag_modal_control, now, put1(string(control, "/control")), 0));
  }

  resize(now, rows) {
    return effect(this._call(wasm.ag_modal_resize, whole(now, "/now"), rowsOf(rows, "/rows")));
  }

  input(now, input) {
    const { type } = object(input, "/input");
    switch (type) {
      case "key":
        return this.key(now, input.key, input.repeat, input.composing);
      case "paste":
        return this.paste(now, input.text);
      case "setText":
        return this.setText(now, input.text);
      case "activate":
        return this.activate(now, input.control);
      case "focus":
        return this.focus(now, input.control);
      case "resize":
        return this.resize(now, input.rows);
      default:
        return fail("invalid_value", "/input/type", "Give key, paste, setText, activate, focus or resize.");
    }
  }

  tick(now) {
    return effect(this._call(wasm.ag_modal_tick, whole(now, "/now")));
  }

  acknowledged(now) {
    return effect(this._call(wasm.ag_modal_acknowledged, whole(now, "/now")));
  }

  reject(now, error) {
    whole(now, "/now");
    const { code, path = "", message } = object(error, "/error");
    const lengths = puts(string(code, "/error/code"), string(path, "/error/path"), string(message, "/error/message"));
    return effect(this._call(wasm.ag_modal_reject, now, ...lengths));
  }

  close(now, outcome) {
    whole(now, "/now");
    return effect(this._call(wasm.ag_modal_close, now, put1(string(outcome, "/outcome"))));
  }

  nextDeadline() {
    return this._call(wasm.ag_modal_next_deadline) ? number() : null;
  }

  view() {
    this._call(wasm.ag_modal_view);
    return json();
  }
}

const DOM_NAMES = {
  Escape: "Esc",
  ArrowUp: "Up",
  ArrowDown: "Down",
  ArrowLeft: "Left",
  ArrowRight: "Right",
  " ": "Space",
};

/** The input that a KeyboardEvent of the DOM stands for, or null for a key that a modal does not know. */
export const keyInput = (event) => {
  const { key } = object(event, "/event");
  const name = Object.hasOwn(DOM_NAMES, key) ? DOM_NAMES[key] : key;
  // An input method that composes says so by a flag, by the key "Process" or by the code 229.
  const composing = event.isComposing === true || key === "Process" || event.keyCode === 229;
  if (typeof name !== "string" || (!isCharacter(name) && !NAMES.includes(name))) {
    return composing ? { type: "key", key: "Enter", repeat: false, composing } : null;
  }
  let mods = "";
  if (event.ctrlKey) mods += "Ctrl+";
  if (event.altKey) mods += "Alt+";
  if (event.shiftKey) mods += "Shift+";
  if (event.metaKey) mods += "Meta+";
  return { type: "key", key: mods + name, repeat: event.repeat === true, composing };
};
