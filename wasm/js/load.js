// How the module comes in. Each entry hands over where it finds its own.

import { AskgateError, attach, fail, isAttached, wasm } from "./runtime.js";

const failed = (cause) => {
  if (cause instanceof AskgateError) throw cause;
  const blocked = /content security|wasm-unsafe-eval|unsafe-eval/i.test(String(cause?.message));
  const message = blocked
    ? "Allow WebAssembly in the page's Content-Security-Policy: script-src needs 'wasm-unsafe-eval'."
    : "Give init() the address, the bytes or the module of this package's .wasm file.";
  fail("load_failed", "", message, { cause });
};

/** Takes a module, or bytes, that the caller has. */
export const initSync = (input) => {
  if (isAttached()) return;
  try {
    const module = input instanceof WebAssembly.Module ? input : new WebAssembly.Module(input);
    attach(new WebAssembly.Instance(module).exports);
  } catch (cause) {
    failed(cause);
  }
};

const compile = async (given) => {
  const input = await given;
  if (input instanceof WebAssembly.Module) return input;
  if (ArrayBuffer.isView(input) || input instanceof ArrayBuffer) return WebAssembly.compile(input);
  const response = typeof Response !== "undefined" && input instanceof Response ? input : await fetch(input);
  if (!response.ok) throw new Error(`${response.status} for ${response.url}`);
  if (response.headers.get("content-type")?.startsWith("application/wasm")) {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
};

let loading;

/** Loads the module once, however often and however simultaneously it is called. A failure may be tried again. */
export const load = (input) => {
  if (isAttached()) return Promise.resolve();
  loading ??= compile(input)
    .then((module) => WebAssembly.instantiate(module))
    .then((instance) => attach(instance.exports))
    .catch(failed)
    .finally(() => {
      loading = undefined;
    });
  return loading;
};

export { attach, wasm };
