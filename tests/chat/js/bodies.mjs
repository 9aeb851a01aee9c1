// The bodies that the chat scenarios expect.

import { readFileSync, readdirSync } from "node:fs";

const root = new URL("../../vectors/chat/", import.meta.url);

/** Puts a text of a token's form where a scenario says only how tokens begin. */
function filled(value, count = { tokens: 0 }) {
  if (value === "$prefix:q1") return `q1${String(++count.tokens).padStart(47, "0")}`;
  if (typeof value === "string" && value.startsWith("$$")) return value.slice(1);
  if (Array.isArray(value)) return value.map((item) => filled(item, count));
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, filled(item, count)]));
  }
  return value;
}

/** All bodies for one platform: `{file, kind, path, body}`. */
export function bodies(platform) {
  const found = [];
  for (const file of readdirSync(root)) {
    const scenario = JSON.parse(readFileSync(new URL(file, root), "utf8"));
    if (scenario.platform !== platform) continue;
    for (const output of scenario.steps.flatMap((step) => step.expect ?? [])) {
      for (const kind of ["acknowledge", "send", "edit", "notice"]) {
        if (kind in output) found.push({ file, kind, path: output.path, body: filled(output[kind]) });
      }
    }
  }
  return found;
}
