// Plays the scenario files through the package in Node. ASKGATE_VECTORS names another folder of them, ASKGATE_TRANSCRIPT a
// file for all that the package gave: path, step and JSON, with tabs between.

import { readFileSync, writeFileSync } from "node:fs";
import * as chats from "../../wasm/dist/chat/node.js";
import * as askgate from "../../wasm/dist/node.js";
import { scenarioFiles } from "./files.mjs";
import { play, summed, told } from "./scenarios.mjs";

const transcript = [];
const results = [];
for (const [name, path] of scenarioFiles()) {
  const result = play({ askgate, chats }, readFileSync(path, "utf8"));
  for (const [step, json] of result.lines) transcript.push(`${name}\t${step}\t${json}\n`);
  results.push(result);
  console.log(told(name, result));
}
const [sum, isFine] = summed(results);
console.log(sum);
if (process.env.ASKGATE_TRANSCRIPT) writeFileSync(process.env.ASKGATE_TRANSCRIPT, transcript.join(""));
process.exitCode = isFine ? 0 : 1;
