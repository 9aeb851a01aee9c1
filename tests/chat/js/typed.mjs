// Writes the bodies as TypeScript, for `tsc` to hold against the platforms' types.

import { writeFileSync } from "node:fs";
import { bodies } from "./bodies.mjs";

const discord = {
  acknowledge: "APIInteractionResponse",
  send: "RESTPostAPIChannelMessageJSONBody",
  notice: "RESTPostAPIChannelMessageJSONBody",
  edit: "RESTPatchAPIChannelMessageJSONBody",
};

const lines = [
  'import type { ApiMethods } from "@grammyjs/types/methods.js";',
  `import type { ${[...new Set(Object.values(discord))].join(", ")} } from "discord-api-types/v10";`,
  "type Of<M extends keyof ApiMethods<unknown>> = Parameters<ApiMethods<unknown>[M]>[0];",
];
let number = 0;
const constant = (type, file, body) =>
  lines.push(`// ${file}`, `export const b${++number}: ${type} = ${JSON.stringify(body)};`);
for (const { file, path, body } of bodies("telegram")) constant(`Of<"${path}">`, file, body);
for (const { file, kind, body } of bodies("discord")) constant(discord[kind], file, body);
writeFileSync(new URL("typed.ts", import.meta.url), lines.join("\n") + "\n");
console.log(`${number} bodies written`);
