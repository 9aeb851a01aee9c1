// Plays the scenario files through the package in headless Chromium; as `vectors.mjs` does in Node.

import { readFileSync, writeFileSync } from "node:fs";
import { openBrowser, serve } from "./chromium.mjs";
import { dist, here, scenarioFiles } from "./files.mjs";
import { summed, told } from "./scenarios.mjs";

const server = await serve({
  folders: { "/dist/": dist, "/tests/": here },
  pages: { "/": "<!doctype html><title>scenarios</title>" },
});
const { context, close } = await openBrowser();
const files = scenarioFiles().map(([name, path]) => [name, readFileSync(path, "utf8")]);
const page = await context.newPage();
await page.goto(`${server.address}/`);
const results = await page.evaluate(async (files) => {
  const askgate = await import("/dist/web.js");
  const chats = await import("/dist/chat/web.js");
  const { play } = await import("/tests/scenarios.mjs");
  await Promise.all([askgate.init(), chats.init()]);
  return files.map(([name, file]) => ({ name, ...play({ askgate, chats }, file) }));
}, files);
await close();
server.close();

for (const result of results) console.log(told(result.name, result));
const [sum, isFine] = summed(results);
console.log(sum);
if (process.env.ASKGATE_TRANSCRIPT) {
  const lines = results.flatMap(({ name, lines }) => lines.map(([step, json]) => `${name}\t${step}\t${json}\n`));
  writeFileSync(process.env.ASKGATE_TRANSCRIPT, lines.join(""));
}
process.exitCode = isFine ? 0 : 1;
