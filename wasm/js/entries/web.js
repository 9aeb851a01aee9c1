// Browsers, and bundlers that know `new URL(…, import.meta.url)`: ready once `init()` is awaited.
import { load } from "../load.js";

export const init = (input) => load(input ?? WASM_PLACE);
export * from "CLASSES";
