// The module inside the script, for pages that can load nothing: ready once `init()` is awaited.
import { load } from "../load.js";

const bytes = () => Uint8Array.from(atob(WASM_BASE64), (character) => character.charCodeAt(0));

export const init = (input) => load(input ?? bytes());
export * from "CLASSES";
