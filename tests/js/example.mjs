// Drives the example of `examples/webview` in headless Chromium by keyboard, pointer and an input method.
// ASKGATE_SCREENSHOTS names a folder for pictures of it.

import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openBrowser } from "./chromium.mjs";
import { root } from "./files.mjs";

const { startHost } = await import(pathToFileURL(join(root, "examples", "webview", "host.mjs")));
const host = await startHost();
const { context, close } = await openBrowser();
const ask = (params) => host.ask({ surface_id: "surface:1", agent_id: "tests", ...params });

const open = async () => {
  const page = await context.newPage();
  page.on("pageerror", (error) => {
    throw error;
  });
  await page.goto(host.address);
  await page.locator("#state", { hasText: "Connected" }).waitFor();
  return page;
};
/** Waits until a prompt is shown and may be answered. */
const ready = async (page, title) => {
  await page.locator("dialog[open] h2", { hasText: title }).waitFor();
  await page.locator("dialog[open] button.armed").first().waitFor();
};
const gone = (page) => page.locator("dialog[open]").waitFor({ state: "detached" });
const press = (page, ...keys) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
const control = (page, id) => page.locator(`[data-control="${id}"]`);
const focused = (page) => page.evaluate(() => document.activeElement.dataset.control ?? document.activeElement.tagName);
const picture = (page, name) =>
  process.env.ASKGATE_SCREENSHOTS && page.screenshot({ path: join(process.env.ASKGATE_SCREENSHOTS, `${name}.png`) });

const YESNO = { kind: "yesno", title: "Install?", body: "The lock file names 14 packages." };
const CHOICE = {
  kind: "choice",
  title: "Where should it run?",
  choices: [{ id: "local", label: "On this computer" }, { id: "staging", label: "In staging" }, { id: "prod", label: "In production" }],
};
const TEXT = { kind: "text", title: "What is the commit about?", default: "Mend" };
const COMMAND = { kind: "confirm-command", title: "Run this command?", body: "rm -rf build", unsafe: true };

const tests = {
  async "yesno by a hotkey"(page) {
    const response = ask(YESNO);
    await ready(page, "Install?");
    assert.equal(await focused(page), "yes");
    await press(page, "n");
    assert.equal((await response).value, "no");
    await gone(page);
  },
  async "yesno by Tab and Enter"(page) {
    const response = ask(YESNO);
    await ready(page, "Install?");
    await press(page, "Tab", "Enter");
    assert.equal((await response).value, "no");
  },
  async "choice by arrows and Enter, and by a click"(page) {
    let response = ask(CHOICE);
    await ready(page, "Where");
    await picture(page, "choice");
    await press(page, "ArrowDown", "ArrowDown", "Enter");
    assert.equal((await response).value, "prod");
    await gone(page);
    response = ask(CHOICE);
    await ready(page, "Where");
    await control(page, "option:1").click();
    assert.equal((await response).value, "staging");
  },
  async "text by typing into the field"(page) {
    const response = ask(TEXT);
    await ready(page, "commit");
    assert.equal(await focused(page), "TEXTAREA");
    await page.keyboard.type(" the parser: 1 y n o");
    await press(page, "Shift+Enter");
    await page.keyboard.type("Twice");
    await page.waitForTimeout(300);
    await picture(page, "text");
    await press(page, "Enter");
    assert.equal((await response).value, "Mend the parser: 1 y n o\nTwice");
  },
  async "text: blank is refused and stays"(page) {
    const response = ask({ kind: "text", title: "Why?" });
    await ready(page, "Why?");
    await press(page, "Enter");
    await page.locator(".error:not(:empty)").waitFor();
    await page.keyboard.type("so");
    await page.waitForTimeout(300);
    await control(page, "submit").click();
    assert.equal((await response).value, "so");
  },
  async "text composed by an input method: Enter that ends a composition submits nothing"(page) {
    const response = ask({ kind: "text", title: "Name?" });
    await ready(page, "Name?");
    const devtools = await context.newCDPSession(page);
    await devtools.send("Input.imeSetComposition", { text: "にほ", selectionStart: 2, selectionEnd: 2 });
    for (const type of ["rawKeyDown", "keyUp"]) {
      await devtools.send("Input.dispatchKeyEvent", { type, key: "Process", code: "Enter", windowsVirtualKeyCode: 229 });
    }
    assert.equal(await page.locator("dialog[open]").count(), 1);
    assert.equal(await page.locator("textarea").inputValue(), "にほ");
    await devtools.send("Input.imeSetComposition", { text: "日本", selectionStart: 2, selectionEnd: 2 });
    await devtools.send("Input.insertText", { text: "日本" });
    assert.equal(await page.locator("textarea").inputValue(), "日本");
    assert.equal(await page.locator("dialog[open]").count(), 1);
    await page.waitForTimeout(300);
    await press(page, "Enter");
    assert.equal((await response).value, "日本");
  },
  async "confirm-command in two steps, by pointer"(page) {
    const response = ask(COMMAND);
    await ready(page, "Run this");
    assert.equal(await focused(page), "cancel");
    await picture(page, "command");
    await control(page, "ack").click();
    await control(page, "run").waitFor();
    await page.locator('[data-control="run"].armed').waitFor();
    assert.equal(await focused(page), "cancel");
    await control(page, "run").click();
    assert.equal((await response).value, "run");
  },
  async "confirm-command: back, and Space on Run"(page) {
    const response = ask(COMMAND);
    await ready(page, "Run this");
    for (const id of ["ack", "back"]) {
      await page.locator(`[data-control="${id}"].armed`).waitFor();
      await control(page, id).click();
    }
    await page.locator('[data-control="ack"].armed').waitFor();
    await control(page, "ack").click();
    await page.locator('[data-control="run"].armed').waitFor();
    await press(page, "Shift+Tab", "Shift+Tab", "Space");
    assert.equal((await response).value, "run");
  },
  async "cancelled by Escape, and by the button"(page) {
    let response = ask(YESNO);
    await ready(page, "Install?");
    await press(page, "Escape");
    assert.equal((await response).action, "cancel");
    await gone(page);
    response = ask(TEXT);
    await ready(page, "commit");
    await control(page, "cancel").click();
    assert.equal((await response).action, "cancel");
  },
  async "timed out while it is shown"(page) {
    const response = ask({ ...TEXT, timeout_ms: 900 });
    await ready(page, "commit");
    await page.keyboard.type(" a draft");
    assert.deepEqual((await response).action, "timeout");
    await gone(page);
    assert.match(await page.locator("#log li").first().innerText(), /timed out/);
  },
  async "keys that were in flight answer nothing"(page) {
    const response = ask(YESNO);
    await page.locator("dialog[open] h2", { hasText: "Install?" }).waitFor();
    const held = page.keyboard.press("Enter");
    await held;
    assert.equal(await page.locator("dialog[open]").count(), 1);
    await page.waitForTimeout(350);
    await press(page, "n");
    assert.equal((await response).value, "no");
  },
  async "a reload in the middle strands nothing and revives nothing"(page) {
    const first = ask(YESNO);
    const second = ask(CHOICE);
    await ready(page, "Install?");
    await page.reload();
    await ready(page, "Install?");
    await press(page, "y");
    assert.equal((await first).value, "yes");
    await ready(page, "Where");
    await page.reload();
    await ready(page, "Where");
    await press(page, "1");
    assert.equal((await second).value, "local");
    await gone(page);
    await page.reload();
    await page.locator("#state", { hasText: "Connected" }).waitFor();
    await page.waitForTimeout(200);
    assert.equal(await page.locator("dialog[open]").count(), 0);
  },
  async "two tabs race and one wins"(page) {
    const other = await open();
    const response = ask(YESNO);
    await Promise.all([ready(page, "Install?"), ready(other, "Install?")]);
    const click = (tab, id) => tab.evaluate((id) => document.querySelector(`[data-control="${id}"]`).click(), id);
    await Promise.all([click(page, "yes"), click(other, "no")]);
    const { value } = await response;
    assert.match(value, /^(yes|no)$/);
    await Promise.all([gone(page), gone(other)]);
    for (const tab of [page, other]) assert.match(await tab.locator("#log li").first().innerText(), new RegExp(`${value}$`));
    await other.close();
  },
  async "hostile text is shown as text"(page) {
    const response = ask({ kind: "yesno", title: "<img src=x onerror=alert(1)> \u202Egnp.exe" });
    await ready(page, "<img src=x");
    assert.equal(await page.locator("dialog img").count(), 0);
    assert.match(await page.locator("dialog h2").innerText(), /\\u\{202E\}/);
    await press(page, "n");
    await response;
  },
  async "in the dark"(page) {
    await page.emulateMedia({ colorScheme: "dark" });
    const response = ask(COMMAND);
    await ready(page, "Run this");
    await picture(page, "command-dark");
    await press(page, "Escape");
    await response;
    const choice = ask(CHOICE);
    await ready(page, "Where");
    await picture(page, "choice-dark");
    await press(page, "1");
    await choice;
    await gone(page);
    await picture(page, "log-dark");
    await page.emulateMedia({ colorScheme: "light" });
  },
};

let failed = 0;
const page = await open();
for (const [name, test] of Object.entries(tests)) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("took too long")), 20_000);
  });
  try {
    await Promise.race([test(page), late]);
    console.log(`ok ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${name}: ${error.stack}`);
    break;
  } finally {
    clearTimeout(timer);
  }
}
await close();
host.close();
console.log(failed === 0 ? "the example works" : "the example fails");
process.exitCode = failed === 0 ? 0 : 1;
