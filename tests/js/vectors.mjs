// Plays the scenario files through the package in Node. ASKGATE_VECTORS names another folder of them, ASKGATE_TRANSCRIPT a
// file for all that the package gave: path, step and JSON, with tabs between.

import { readFileSync, writeFileSync } from "node:fs";
import * as askgate from "../../wasm/dist/node.js";
import { scenarioFiles } from "./files.mjs";
import { play } from "./scenarios.mjs";

const transcript = [];
let passed = 0;
let failed = 0;
for (const [name, path] of scenarioFiles()) {
  const { lines, error } = play(askgate, readFileSync(path, "utf8"));
  for (const [step, json] of lines) transcript.push(`${name}\t${step}\t${json}\n`);
  if (error === undefined) passed += 1;
  else failed += 1;
  console.log(error === undefined ? `ok ${name}` : `FAIL ${name}: ${error}`);
}
console.log(`${passed} passed, ${failed} failed`);
if (process.env.ASKGATE_TRANSCRIPT) writeFileSync(process.env.ASKGATE_TRANSCRIPT, transcript.join(""));
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
