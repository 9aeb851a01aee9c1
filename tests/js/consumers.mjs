// The package as its consumers have it: packed, installed from the tarball, and loaded in each way that it offers.

import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import assert from "node:assert/strict";
import { build as esbuild } from "esbuild";
import { build as vite } from "vite";
import { openBrowser, serve } from "./chromium.mjs";
import { dist, here } from "./files.mjs";

const work = mkdtempSync(join(tmpdir(), "askgate-consumers-"));
const installed = join(work, "node_modules", "askgate");
const run = (command, ...args) => execFileSync(command, args, { cwd: work, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
const node = (name, script) => {
  writeFileSync(join(work, name), script);
  return run(process.execPath, name).trim();
};
let failed = 0;
const check = async (name, test) => {
  try {
    await test();
    console.log(`ok ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${name}: ${error.stack}\n${error.stdout ?? ""}${error.stderr ?? ""}`);
  }
};

const tarball = join(work, JSON.parse(run("npm", "pack", dist, "--json", "--pack-destination", work))[0].filename);
writeFileSync(join(work, "package.json"), JSON.stringify({ name: "consumers", private: true }));
run("npm", "install", "--no-audit", "--no-fund", "--silent", tarball);
cpSync(join(here, "consumers"), work, { recursive: true });
for (const name of ["types.mts", "types.cts"]) writeFileSync(join(work, name), readFileSync(join(work, "types.ts")));
writeFileSync(join(work, "use.mjs"), readFileSync(join(work, "use.js")));
const ENTRIES = ["node", "web", "bundler", "inline"];

await check("the package holds what it should and nothing else", () => {
  const files = run("tar", "-tzf", tarball).trim().split("\n").map((file) => file.replace("package/", ""));
  const entries = ["", "chat/", "modal/"].flatMap((folder) => ENTRIES.flatMap((name) => [".js", ".cjs", ".d.ts", ".d.cts"].map((end) => `${folder}${name}${end}`)));
  const declarations = ["index", "chat", "modal"].flatMap((name) => [`${name}.d.ts`, `${name}.d.cts`]);
  const others = ["askgate.wasm", "chat.wasm", "modal.wasm", "package.json", "README.md", "LICENSE-APACHE", "LICENSE-MIT"];
  assert.deepEqual(files.sort(), [...entries, ...declarations, ...others].sort());
});

await check("no entry evaluates text, nor touches a page when imported", () => {
  for (const folder of ["", "chat", "modal"]) {
    for (const name of ENTRIES) {
      const text = readFileSync(join(installed, folder, `${name}.js`), "utf8");
      assert.doesNotMatch(text, /\beval\(|new Function|\bdocument\b|\bwindow\b|\blocalStorage\b/);
    }
  }
});

await check("the module imports nothing", () => {
  for (const name of ["askgate.wasm", "chat.wasm", "modal.wasm"]) {
    assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(join(installed, name)))), []);
  }
});

await check("publint has no findings", async () => {
  const { publint } = await import("publint");
  const { messages } = await publint({ pkgDir: installed, strict: true });
  assert.deepEqual(messages, []);
});

await check("are the types wrong? has no findings", () => {
  const attw = join(here, "node_modules", ".bin", "attw");
  const wasm = ["./askgate.wasm", "./chat.wasm", "./modal.wasm"];
  run(attw, tarball, "--exclude-entrypoints", ...wasm, "--no-color", "--format", "ascii");
});

const IMPORTED = 'import { press, use, show } from "./use.mjs"; import * as modal from "askgate/modal";';
await check("Node, ES modules", () => {
  const script = `${IMPORTED} import * as askgate from "askgate"; import * as chats from "askgate/chat"; await askgate.init(); console.log(use(askgate), show(modal), press(chats));`;
  assert.equal(node("esm.mjs", script), "yes yes yes");
});
await check("the example of the README", () => {
  const [, script] = /```js\n([^]*?)```/.exec(readFileSync(join(installed, "README.md"), "utf8"));
  assert.equal(node("readme.mjs", script), "{ request_id: 'req:1', action: 'ok', value: 'yes' }");
});
await check("the README's host of a chat", () => {
  const [, [, script]] = readFileSync(join(installed, "README.md"), "utf8").matchAll(/```js\n([^]*?)```/g);
  const test = `
    const sent = [];
    globalThis.fetch = async (address, { method, body }) => {
      sent.push([method, address.split("/").pop(), JSON.parse(body)]);
      return { status: 200, text: async () => '{"ok":true,"result":{"message_id":10}}' };
    };
    const [chat, from] = [{ id: -100 }, { id: 5 }];
    await take({ update_id: 1, message: { message_id: 9, date: 1, text: "Deploy", chat, from } });
    const { text, reply_markup } = sent[0][2];
    const data = reply_markup.inline_keyboard.flat().find((button) => button.text === "production").callback_data;
    const press = (user) => ({ id: String(user), from: { id: user }, message: { message_id: 10, date: 1, chat }, data });
    await take({ update_id: 2, callback_query: press(6) });
    await take({ update_id: 3, callback_query: press(5) });
    console.log(text.split("\\n")[0], sent.map(([method, path]) => method + path).join(" "));`;
  const [outcome, rest] = node("chat.mjs", script + test).split("\n");
  assert.equal(outcome, "answered [ { id: 'where', selected: [ 'production' ] } ]");
  assert.match(rest, /^Deploy where\? POSTsendMessage POSTanswerCallbackQuery POSTanswerCallbackQuery POSTeditMessageText$/);
});
await check("Node, CommonJS", () => {
  const script = `const { press, use, show } = require("./use.cjs"); console.log(use(require("askgate")), show(require("askgate/modal")), press(require("askgate/chat")));`;
  const common = readFileSync(join(work, "use.js"), "utf8").replace(/^export const (\w+) =/gm, "exports.$1 =");
  writeFileSync(join(work, "use.cjs"), common);
  assert.equal(node("cjs.cjs", script), "yes yes yes");
});
await check("Node, inline", () => {
  const script = `${IMPORTED} import * as askgate from "askgate/inline"; import * as chats from "askgate/chat/inline";
    await Promise.all([askgate.init(), chats.init()]); console.log(use(askgate), show(modal), press(chats));`;
  assert.equal(node("inline.mjs", script), "yes yes yes");
  const common = `const askgate = require("askgate/inline"); askgate.init().then(() => console.log(require("./use.cjs").use(askgate)));`;
  assert.equal(node("inline.cjs", common), "yes");
});
await check("bytes and modules from the caller", () => {
  for (const input of ["bytes", "new WebAssembly.Module(bytes)"]) {
    const script = `import { use } from "./use.mjs"; import * as askgate from "askgate/web"; import { readFileSync } from "node:fs";
      import { fileURLToPath } from "node:url";
      const bytes = readFileSync(fileURLToPath(import.meta.resolve("askgate/askgate.wasm")));
      askgate.initSync(${input}); askgate.initSync(${input}); console.log(use(askgate));`;
    assert.equal(node("bytes.mjs", script), "yes");
  }
});
await check("before init() everything says so, and a failed init() may be tried again", () => {
  const script = `import * as askgate from "askgate/web"; import { readFileSync } from "node:fs"; import { fileURLToPath } from "node:url";
    const codes = [];
    for (const call of [() => new askgate.Endpoint(), () => new askgate.Mirror(), () => askgate.cut("", 1, "bytes"),
      () => askgate.displaySafe("a", "line"), () => new askgate.Modal({}, {}, 0)]) {
      try { call(); } catch (error) { codes.push(error.name + error.code); }
    }
    await askgate.init(new Uint8Array([1, 2])).catch((error) => codes.push(error.code));
    const bytes = readFileSync(fileURLToPath(import.meta.resolve("askgate/askgate.wasm")));
    await Promise.all([askgate.init(bytes), askgate.init(bytes)]);
    codes.push(askgate.cut("abc", 2, "graphemes"));
    console.log(codes.join(" "));`;
  const before = Array(5).fill("AskgateErrornot_initialised").join(" ");
  assert.equal(node("before.mjs", script), `${before} load_failed a…`);
});

await check("TypeScript, strict, in both resolutions", () => {
  const tsc = join(here, "node_modules", ".bin", "tsc");
  const strict = ["--strict", "--noEmit", "--target", "es2022", "--lib", "es2022,esnext.disposable,dom", "--exactOptionalPropertyTypes"];
  run(tsc, ...strict, "--module", "nodenext", "--skipLibCheck", "false", "types.mts", "types.cts");
  run(tsc, ...strict, "--module", "esnext", "--moduleResolution", "bundler", "types.ts");
});

const PAGE = (script, type = "module") =>
  `<!doctype html><title>consumer</title><script ${type === "" ? "" : `type="${type}"`} src="${script}"></script>`;
const ENTRY = `import { press, use, show } from "./use.js"; import * as askgate from "askgate"; import * as modal from "askgate/modal";
  import * as chats from "askgate/chat";
  try {
    await Promise.all([askgate.init(), askgate.init(), modal.init(), chats.init()]);
    globalThis.answer = use(askgate) + " " + show(modal) + " " + press(chats);
  } catch (error) { globalThis.answer = error.name + " " + error.code + " " + error.message; }`;
const browser = await openBrowser();

/** Opens a page and waits for its answer. */
const answered = async (given, path = "/") => {
  const server = await serve(given);
  const page = await browser.context.newPage();
  try {
    await page.goto(server.address + path);
    await page.waitForFunction(() => globalThis.answer !== undefined, undefined, { timeout: 20_000 });
    return await page.evaluate(() => globalThis.answer);
  } finally {
    await page.close();
    server.close();
  }
};
const plain = {
  folders: { "/askgate/": installed },
  pages: {
    "/": PAGE("/entry.js"),
    "/use.js": readFileSync(join(work, "use.js"), "utf8"),
    "/entry.js": ENTRY.replace('"askgate"', '"./askgate/web.js"').replace('"askgate/modal"', '"./askgate/modal/web.js"').replace('"askgate/chat"', '"./askgate/chat/web.js"'),
  },
};
await check("a plain page", async () => assert.equal(await answered(plain), "yes yes yes"));
await check("a plain page whose server knows no type for .wasm", async () => {
  const types = { ".html": "text/html", ".js": "text/javascript" };
  assert.equal(await answered({ ...plain, types }), "yes yes yes");
});
await check("a page with script-src 'self' 'wasm-unsafe-eval'", async () => {
  assert.equal(await answered({ ...plain, policy: "script-src 'self' 'wasm-unsafe-eval'" }), "yes yes yes");
});
await check("a page that forbids WebAssembly gets a clear error", async () => {
  const message = await answered({ ...plain, policy: "script-src 'self'" });
  assert.match(message, /^AskgateError load_failed .*script-src needs 'wasm-unsafe-eval'/);
});
await check("a worker", async () => {
  const worker = plain.pages["/entry.js"].replaceAll("globalThis.answer = ", "postMessage(").replaceAll(";\n  } catch", ");\n  } catch").replace("error.message;", "error.message);");
  const entry = `const worker = new Worker("/worker.js", { type: "module" }); worker.onmessage = ({ data }) => { globalThis.answer = data; };
    worker.onerror = ({ message }) => { globalThis.answer = message; };`;
  assert.equal(await answered({ ...plain, pages: { ...plain.pages, "/worker.js": worker, "/entry.js": entry } }), "yes yes yes");
});

const bundled = { absWorkingDir: work, bundle: true, format: "esm", logLevel: "warning" };
await check("esbuild with the inline entry, and nothing configured", async () => {
  const contents = ENTRY.replace('"askgate"', '"askgate/inline"').replace('"askgate/modal"', '"askgate/modal/inline"').replace('"askgate/chat"', '"askgate/chat/inline"');
  await esbuild({ ...bundled, stdin: { contents, resolveDir: work }, outfile: join(work, "out", "inline.js") });
  const pages = { "/": PAGE("/out/inline.js") };
  assert.equal(await answered({ folders: { "/out/": join(work, "out") }, pages }), "yes yes yes");
});
await check("esbuild with the bundler entry and .wasm files as bytes", async () => {
  const contents = ENTRY.replace('"askgate"', '"askgate/bundler"').replace('"askgate/modal"', '"askgate/modal/bundler"').replace('"askgate/chat"', '"askgate/chat/bundler"');
  const loader = { ".wasm": "binary" };
  await esbuild({ ...bundled, stdin: { contents, resolveDir: work }, loader, outfile: join(work, "out", "bundler.js") });
  const pages = { "/": PAGE("/out/bundler.js") };
  assert.equal(await answered({ folders: { "/out/": join(work, "out") }, pages }), "yes yes yes");
});
await check("Vite, and nothing configured", async () => {
  writeFileSync(join(work, "entry.js"), ENTRY);
  writeFileSync(join(work, "index.html"), PAGE("/entry.js"));
  await vite({ root: work, logLevel: "error", configFile: false, build: { target: "esnext", outDir: "vite" } });
  const pages = { "/": readFileSync(join(work, "vite", "index.html"), "utf8") };
  assert.equal(await answered({ folders: { "/": join(work, "vite") + "/" }, pages }), "yes yes yes");
});

await browser.close();
rmSync(work, { recursive: true, force: true });
console.log(failed === 0 ? "all consumers work" : `${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
