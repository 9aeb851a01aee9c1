// Debian's Chromium, and a small server for what it is to load.

import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Opens a browser with nothing in its profile. */
export const openBrowser = async (options = {}) => {
  const profile = mkdtempSync(join(tmpdir(), "askgate-chromium-"));
  const executablePath = process.env.CHROMIUM ?? execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: FLAGS,
    headless: true,
    ...options,
  });
  const close = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { context, close };
};

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".json": "application/json",
  ".css": "text/css",
  ".wasm": "application/wasm",
};

/**
 * Serves folders by their paths, and pages by their texts. `policy` is the Content-Security-Policy of all.
 */
export const serve = async ({ folders = {}, pages = {}, policy, types = TYPES }) => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://host");
    const headers = policy === undefined ? {} : { "content-security-policy": policy };
    if (Object.hasOwn(pages, pathname)) {
      response.writeHead(200, { ...headers, "content-type": types[extname(pathname)] ?? TYPES[".html"] });
      response.end(pages[pathname]);
      return;
    }
    const at = Object.keys(folders).find((prefix) => pathname.startsWith(prefix));
    const file = at && join(folders[at], pathname.slice(at.length));
    if (!file || pathname.includes("..") || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { ...headers, "content-type": types[extname(file)] ?? "application/octet-stream" });
    response.end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
};
