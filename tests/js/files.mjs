// The scenario files, and where things are.

import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const here = fileURLToPath(new URL(".", import.meta.url));
export const root = fileURLToPath(new URL("../..", import.meta.url));
export const dist = join(root, "wasm", "dist");

/** The name and the path of each scenario file, in the order of their paths. */
export const scenarioFiles = () => {
  const folder = process.env.ASKGATE_VECTORS ?? join(root, "tests", "vectors");
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const parts = (path) => relative(folder, path).split(sep);
  // Folder by folder, so that transcripts of all runners have one order.
  found.sort((a, b) => {
    const [left, right] = [parts(a), parts(b)];
    const at = left.findIndex((part, n) => part !== right[n]);
    return left[at] < right[at] ? -1 : 1;
  });
  return found.map((path) => [parts(path).join("/"), path]);
};
