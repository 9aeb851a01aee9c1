// What each part of the modules weighs: node weigh.mjs DIR, where DIR holds them with the names of their functions
// (wasm/build --names DIR). A part is a module of Rust, or a kind of code that the compiler makes anew for each type.
// Its bytes count as they are, and after a compression of the part alone, so that the second do not sum up to the file.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";

/** The bodies of the functions with their names, and the other sections. */
const read = (bytes) => {
  let at = 8;
  const number = () => {
    let value = 0;
    for (let place = 1; ; place *= 128) {
      const byte = bytes[at];
      at += 1;
      value += (byte & 127) * place;
      if (byte < 128) return value;
    }
  };
  const part = () => {
    const length = number();
    at += length;
    return bytes.subarray(at - length, at);
  };
  const bodies = [];
  const names = new Map();
  const others = [];
  while (at < bytes.length) {
    const kind = bytes[at];
    at += 1;
    const end = number() + at;
    if (kind === 0) {
      if (part().toString() === "name") {
        while (at < end) {
          const list = bytes[at];
          at += 1;
          const after = number() + at;
          if (list === 1) for (let left = number(); left > 0; left -= 1) names.set(number(), part().toString());
          at = after;
        }
      }
    } else if (kind === 10) {
      for (let left = number(); left > 0; left -= 1) bodies.push(part());
    } else {
      others.push({ name: kind === 11 ? "(data)" : "(tables, types and exports)", bytes: bytes.subarray(at, end) });
    }
    at = end;
  }
  // The modules import nothing, so that the first body is the first function.
  return [...bodies.map((body, index) => ({ name: names.get(index) ?? "", bytes: body })), ...others];
};

const KINDS = [
  ["(maps in order)", /7ordered/],
  ["(hash maps)", /hashbrown/],
  ["(dropping)", /drop_in_place|drop_glue/],
  ["(growing lists)", /raw_vec|4grow/],
  ["(writing JSON)", /serialize|5write/],
  ["(formatting)", /core3fmt|alloc3fmt|4core3fmt/],
];

/** The part that a function belongs to, by its mangled name. */
const partOf = (name) => {
  if (name.startsWith("(")) return name;
  if (name.startsWith("ag_")) return "exports, with what was inlined into them";
  const kind = KINDS.find(([, pattern]) => pattern.test(name));
  if (kind !== undefined) return kind[0];
  const own = /7askgate((?:\d+[a-z_]+)+)/.exec(name);
  const steps = own && [...own[1].matchAll(/(\d+)([a-z_]+)/g)].map(([, length, text]) => text.slice(0, Number(length)));
  if (steps) return `askgate::${steps[0]}`;
  const crate = /dlmalloc|sha2|hmac|digest|5alloc|4core|askgate_wasm/.exec(name);
  return crate ? crate[0].replace(/^\d/, "") : "others";
};

const kB = (bytes) => (bytes / 1000).toFixed(1);

for (const file of readdirSync(process.argv[2]).sort()) {
  const parts = new Map();
  for (const { name, bytes } of read(readFileSync(join(process.argv[2], file)))) {
    const part = partOf(name);
    parts.set(part, [...(parts.get(part) ?? []), bytes]);
  }
  const rows = [...parts].map(([part, pieces]) => [part, pieces.length, Buffer.concat(pieces)]);
  rows.sort(([, , one], [, , other]) => other.length - one.length);
  console.log(`\n| part of ${file} | functions | kB | kB compressed |\n|---|---|---|---|`);
  for (const [part, count, bytes] of rows) {
    if (bytes.length < 500) continue;
    const functions = part.startsWith("(data") || part.startsWith("(tables") ? "" : count;
    console.log(`| ${part} | ${functions} | ${kB(bytes.length)} | ${kB(deflateRawSync(bytes, { level: 9 }).length)} |`);
  }
}
