// The whole package.
export { AskgateError, Held } from "./runtime.js";
export { initSync } from "./load.js";
export { checkAnswer, checkPrompt, cut, displaySafe } from "./checks.js";
export { canElicit, elicitationRequest, elicitationResult } from "./elicitation.js";
export { Endpoint } from "./endpoint.js";
export { Gate } from "./gate.js";
export { Mirror } from "./mirror.js";
export { Modal, keyInput } from "./modal.js";
