// What a panic does, with a module built for this test: a typed error, an object that says that it is poisoned, and
// everything else works on. The module's path is the argument.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as askgate from "../../wasm/dist/chat/web.js";

const bytes = readFileSync(process.argv[2]);
await Promise.all([askgate.init(bytes), askgate.init(bytes)]);
const HOOK = "\u0000panic";

const spared = new askgate.Mirror();
for (let round = 0; round < 2000; round += 1) {
  const broken = new askgate.Modal({ surface_id: "s", kind: "text", title: "Why?" }, { guardMs: 0 }, 0);
  assert.equal(broken.poisoned, false);
  assert.throws(() => broken.setText(0, HOOK), { name: "AskgateError", code: "panicked" });
  assert.equal(broken.poisoned, true);
  assert.throws(() => broken.view(), { name: "AskgateError", code: "poisoned" });
  broken.free();
  assert.throws(() => askgate.checkPrompt(HOOK), { code: "panicked" });
  assert.equal(spared.len(), 0);
  const fresh = new askgate.Modal({ surface_id: "s", kind: "text", title: "Why?" }, { guardMs: 0 }, 0);
  fresh.setText(0, "so");
  assert.deepEqual(fresh.key(0, "Enter"), { type: "submit", value: "so" });
  fresh.free();
}

// A call on two objects poisons both.
const gate = new askgate.Gate();
const router = new askgate.Router("telegram", "1", new Uint8Array(32));
assert.throws(() => router.loseChat(0, gate, HOOK), { code: "panicked" });
assert.deepEqual([router.poisoned, gate.poisoned], [true, true]);
assert.throws(() => gate.poll(0), { code: "poisoned" });
assert.throws(() => router.handle(0, new askgate.Gate(), "{}"), { code: "poisoned" });
const other = new askgate.Router("telegram", "1", new Uint8Array(32));
assert.throws(() => other.handle(0, gate, "{}"), { code: "poisoned" });
assert.equal(other.poll(0).type, "wait");
console.log("a panic poisons its object and nothing else");
