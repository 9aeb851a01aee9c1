import { call, place, put1, putBytes, puts, string, text, toJson, whole } from "./runtime.js";

export const checkPrompt = (prompt) => {
  const length = prompt instanceof Uint8Array ? putBytes(prompt) : put1(toJson(prompt, "/prompt"));
  call("ag_check_prompt", length);
};

export const checkAnswer = (prompt, answer) => {
  call("ag_check_answer", ...puts(toJson(prompt, "/prompt"), toJson(answer, "/answer")));
};

const MODES = ["line", "body", "command"];
const UNITS = ["graphemes", "scalars", "utf16", "bytes"];

export const displaySafe = (given, mode) => {
  const at = place(MODES, mode, "/mode");
  const hasHidden = call("ag_display_safe", put1(string(given, "/text")), at) === 1;
  return { text: text(), hasHidden };
};

export const cut = (given, limit, unit) => {
  const at = place(UNITS, unit, "/unit");
  whole(limit, "/limit");
  call("ag_cut", put1(string(given, "/text")), limit, at);
  return text();
};
