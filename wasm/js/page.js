// What a page needs that only shows.
export { AskgateError, Held } from "./runtime.js";
export { initSync } from "./load.js";
export { checkAnswer, checkPrompt, cut, displaySafe } from "./checks.js";
export { Mirror } from "./mirror.js";
export { Modal, keyInput } from "./modal.js";
