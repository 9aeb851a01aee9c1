// Discord's components through the validating builders of discord.js: what they take, they give back as it was.

import { deepStrictEqual } from "node:assert/strict";
import { ActionRowBuilder, ButtonBuilder, StringSelectMenuBuilder } from "@discordjs/builders";
import { bodies } from "./bodies.mjs";

let rows = 0;
for (const { file, body } of bodies("discord")) {
  for (const row of body.components ?? body.data?.components ?? []) {
    if (row.type !== 1) continue;
    const built = new ActionRowBuilder().addComponents(
      row.components.map((part) => (part.type === 2 ? new ButtonBuilder(part) : new StringSelectMenuBuilder(part))),
    );
    deepStrictEqual(JSON.parse(JSON.stringify(built.toJSON())), row, file);
    rows += 1;
  }
}
console.log(`${rows} rows built`);
