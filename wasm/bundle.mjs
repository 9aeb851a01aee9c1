// Makes the entries of the package from `js/`: each one a file of its own, as ES module and as CommonJS.
import { build } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");

const PARTS = [
  { folder: "", classes: "host", wasm: "askgate.wasm", types: "index" },
  { folder: "chat", classes: "chats", wasm: "chat.wasm", types: "chat" },
  { folder: "modal", classes: "page", wasm: "modal.wasm", types: "modal" },
];
const ENTRIES = ["node", "web", "bundler", "inline"];

/** Where the `.wasm` file is, as an expression in the entry. */
const place = (entry, format, file) => {
  if (format === "esm") return `new URL(${JSON.stringify(file)}, import.meta.url)`;
  // A script of a page does not know its own address in CommonJS; a host gives it to init().
  return entry === "node" ? `require("node:path").join(__dirname, ${JSON.stringify(file)})` : "undefined";
};

for (const { folder, classes, wasm, types } of PARTS) {
  mkdirSync(join(dist, folder), { recursive: true });
  const file = folder === "" ? `./${wasm}` : `../${wasm}`;
  const base64 = readFileSync(join(dist, wasm)).toString("base64");
  const folderUp = folder === "" ? "./" : "../";
  for (const entry of ENTRIES) {
    // For resolvers that know no `exports`.
    writeFileSync(join(dist, folder, `${entry}.d.ts`), `export * from "${folderUp}${types}.js";\n`);
    writeFileSync(join(dist, folder, `${entry}.d.cts`), `export * from "${folderUp}${types}.cjs";\n`);
    for (const format of ["esm", "cjs"]) {
      const source = readFileSync(join(here, "js", "entries", `${entry}.js`), "utf8")
        .replace("WASM_PLACE", () => place(entry, format, file))
        .replace("WASM_FILE", () => file)
        .replace("WASM_BASE64", () => JSON.stringify(base64))
        .replace("CLASSES", () => `../${classes}.js`);
      await build({
        stdin: { contents: source, resolveDir: join(here, "js", "entries"), sourcefile: `${entry}.js` },
        outfile: join(dist, folder, entry + (format === "esm" ? ".js" : ".cjs")),
        bundle: true,
        format,
        platform: entry === "node" ? "node" : "neutral",
        target: "es2022",
        minify: true,
        keepNames: false,
        external: [file],
        logLevel: "warning",
      });
    }
  }
  // The declarations are the same for both formats, but must say which one they are about.
  const declarations = readFileSync(join(here, "types", `${types}.d.ts`), "utf8");
  writeFileSync(join(dist, `${types}.d.ts`), declarations);
  writeFileSync(join(dist, `${types}.d.cts`), declarations.replace(/"\.\/(\w+)\.js"/g, '"./$1.cjs"'));
}

for (const name of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(join(here, "..", name), join(dist, name));
copyFileSync(join(here, "README.md"), join(dist, "README.md"));

const { private: _, scripts: __, devDependencies: ___, ...published } = JSON.parse(
  readFileSync(join(here, "package.json"), "utf8"),
);
const entry = (folder, types, name) => {
  const at = folder === "" ? "." : `./${folder}`;
  return {
    import: { types: `./${types}.d.ts`, default: `${at}/${name}.js` },
    require: { types: `./${types}.d.cts`, default: `${at}/${name}.cjs` },
  };
};
published.exports = {};
for (const { folder, types, wasm } of PARTS) {
  const at = folder === "" ? "." : `./${folder}`;
  published.exports[at] = { node: entry(folder, types, "node"), ...entry(folder, types, "web") };
  for (const name of ENTRIES) published.exports[`${at}/${name}`] = entry(folder, types, name);
  published.exports[`./${wasm}`] = `./${wasm}`;
}
published.exports["./package.json"] = "./package.json";
writeFileSync(join(dist, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
console.log(`made ${relative(process.cwd(), dist) || "."}`);
