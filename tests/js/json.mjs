// JSON as the scenario files need it: each key once, and no number changed.

/** A number that a double of JavaScript would change or write otherwise, as its text. */
export class Num {
  constructor(text) {
    this.text = text;
  }
}

const WORDS = { true: true, false: false, null: null };
const TOKEN = /[ \t\n\r]*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null))/y;

/** Parses a text; objects have no prototype, so that any key is one. */
export const parse = (text) => {
  let at = 0;
  const next = () => {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text);
    if (token === null) throw new Error(`no JSON at ${at} of ${text.slice(0, 200)}`);
    at = TOKEN.lastIndex;
    return token;
  };
  const value = ([, mark, string, number, word]) => {
    if (string !== undefined) return JSON.parse(string);
    if (number !== undefined) {
      const is = Number(number);
      return Number.isSafeInteger(is) && String(is) === number ? is : new Num(number);
    }
    if (word !== undefined) return WORDS[word];
    if (mark === "[") return list();
    if (mark === "{") return fields();
    throw new Error(`an unexpected ${mark}`);
  };
  const list = () => {
    const items = [];
    let token = next();
    if (token[1] === "]") return items;
    for (;;) {
      items.push(value(token));
      const { 1: mark } = next();
      if (mark === "]") return items;
      if (mark !== ",") throw new Error(`no comma at ${at}`);
      token = next();
    }
  };
  const fields = () => {
    const object = Object.create(null);
    let token = next();
    if (token[1] === "}") return object;
    for (;;) {
      if (token[2] === undefined) throw new Error(`no key at ${at}`);
      const key = JSON.parse(token[2]);
      if (key in object) throw new Error(`the key ${JSON.stringify(key)} twice`);
      if (next()[1] !== ":") throw new Error(`no colon at ${at}`);
      object[key] = value(next());
      const { 1: mark } = next();
      if (mark === "}") return object;
      if (mark !== ",") throw new Error(`no comma at ${at}`);
      token = next();
    }
  };
  const whole = value(next());
  if (text.slice(at).trim() !== "") throw new Error("something after the JSON");
  return whole;
};

/** Code points in order, as the bytes of UTF-8 are. */
const byPoints = (a, b) => {
  const [left, right] = [[...a], [...b]];
  for (let n = 0; n < Math.min(left.length, right.length); n += 1) {
    const differ = left[n].codePointAt(0) - right[n].codePointAt(0);
    if (differ !== 0) return differ;
  }
  return left.length - right.length;
};

/** JSON with sorted keys, as transcripts have it. */
export const canonical = (value) => {
  if (value instanceof Num) return value.text;
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.keys(value).filter((key) => value[key] !== undefined);
    return `{${fields
      .sort(byPoints)
      .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
      .join(",")}}`;
  }
  return JSON.stringify(value);
};

/** Exact equality of two values. */
export const equal = (a, b) => canonical(a) === canonical(b);
