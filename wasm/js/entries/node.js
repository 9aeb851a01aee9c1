// Node: ready once imported.
import { readFileSync } from "node:fs";
import { initSync } from "../load.js";

initSync(readFileSync(WASM_PLACE));

/** There is nothing left to wait for. */
export const init = async () => {};
export * from "CLASSES";
