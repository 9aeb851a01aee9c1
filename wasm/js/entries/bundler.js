// Bundlers that load `.wasm` files, as instances or as bytes: ready once imported.
import * as file from "WASM_FILE";
import { attach, initSync } from "../load.js";

if (file.default instanceof Uint8Array || file.default instanceof WebAssembly.Module) initSync(file.default);
else attach(file);

/** There is nothing left to wait for. */
export const init = async () => {};
export * from "CLASSES";
