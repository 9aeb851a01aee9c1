// The page of the example: the mirror says what is to be shown, the modal what it looks like and what a key or a click
// does. The page draws, and carries effects to the host.

import { Mirror, Modal, init, keyInput } from "./askgate/modal/web.js";

const SURFACE = "surface:1";

await init();
const mirror = new Mirror();
const dialog = document.querySelector("#modal");
const state = document.querySelector("#state");
const log = document.querySelector("#log");
const idle = document.querySelector("#idle");

const now = () => Math.floor(performance.now());

let socket;
let lastId = 0;
/** The calls that wait for their reply. */
const calls = new Map();
/** What is shown: the prompt and its modal. */
let shown;
let alarm;

const connect = () => {
  socket = new WebSocket(new URL("ask", location.href.replace(/^http/, "ws")));
  socket.onopen = async () => {
    // What was known of an earlier connection counts no more; the snapshot says what waits.
    mirror.reset();
    state.textContent = "Connected";
    const { result } = await call("askUserRequestSnapshot", {});
    mirror.snapshot(result);
    follow();
  };
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.method === "askUserEvent") {
      mirror.apply(message.params);
      follow(message.params);
    } else {
      calls.get(message.id)?.(message);
      calls.delete(message.id);
    }
  };
  socket.onclose = () => {
    calls.clear();
    state.textContent = "Connection lost. Trying again…";
    setTimeout(connect, 500);
  };
};

/** Calls the host. */
const call = (method, params) =>
  new Promise((resolve) => {
    lastId += 1;
    calls.set(lastId, resolve);
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: lastId, method, params }));
  });

/** Shows the prompt at the head, and takes away one that has ended. */
const follow = (push) => {
  if (push?.kind === "resolved" && push.request_id === shown?.request.request_id) {
    end(push.response.action === "timeout" ? "timed_out" : push.response.action === "ok" ? "answered" : "cancelled");
    note(shown.request.title, push.response);
  }
  const head = mirror.head(SURFACE);
  if (head?.request_id === shown?.request.request_id) return;
  shown?.modal.free();
  shown = undefined;
  dialog.close();
  if (head === null) return;
  const deadline = head.timeout_ms && Math.max(now() + head.created_at + head.timeout_ms - Date.now(), 0);
  shown = { request: head, modal: new Modal(head, { terminal: false, deadline }, now()) };
  draw();
  dialog.showModal();
  draw();
};

const end = (outcome) => {
  shown.modal.close(now(), outcome);
  draw();
};

const note = (title, { action, value, reason }) => {
  idle.hidden = true;
  const entry = document.createElement("li");
  const what = document.createElement("span");
  what.textContent = title;
  const how = document.createElement("strong");
  how.dataset.action = action;
  how.textContent = { ok: value, timeout: "timed out", cancel: reason ?? "cancelled" }[action];
  entry.append(what, how);
  log.prepend(entry);
};

/** Does what the modal wants. */
const perform = async (effect) => {
  if (effect.type === "none" || shown === undefined) return;
  const { modal, request } = shown;
  draw();
  const request_id = request.request_id;
  const [method, params] = {
    redraw: [],
    submit: ["agent.ask_answer", { request_id, value: effect.value }],
    decline: ["agent.ask_cancel", { request_id }],
    cancel: ["agent.ask_cancel", { request_id }],
    acknowledge: ["agent.ask_acknowledge", { request_id }],
    back: ["agent.ask_back", { request_id }],
  }[effect.type];
  if (method === undefined) return;
  const { error, result } = await call(method, params);
  if (shown?.modal !== modal) return;
  if (error !== undefined) modal.reject(now(), { code: error.data.code, path: error.data.path, message: error.message });
  else if (result.acknowledged === true) modal.acknowledged(now());
  draw();
};

const input = (given) => shown && perform(shown.modal.input(now(), given));

/** An element with text. */
const make = (tag, className, text) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};

const draw = () => {
  const view = shown.modal.view();
  const field = view.text && (dialog.querySelector("textarea") ?? makeField());
  const parts = [];
  if (view.attribution) parts.push(make("p", "from", `${view.attribution} asks`));
  const title = make("h2", "", view.title);
  title.id = "title";
  parts.push(title);
  if (view.unsafe) parts.push(make("p", "banner", "This can do damage that cannot be undone."));
  if (view.body) parts.push(make("p", "body", view.body));
  if (view.command) {
    parts.push(make("pre", "command", view.command.text));
    if (view.command.has_hidden) parts.push(make("p", "banner", "The command holds characters that are not visible."));
  }
  const choices = make("div", "choices");
  const buttons = make("div", "buttons");
  for (const control of view.controls) {
    if (control.role === "textbox") {
      if (field.value !== view.text.value) field.value = view.text.value;
      field.disabled = !control.enabled;
      field.setAttribute("aria-label", control.label);
      continue;
    }
    const isChoice = control.checked !== null;
    (isChoice ? choices : buttons).append(makeButton(control, view));
  }
  if (field) parts.push(field);
  if (choices.childElementCount > 0) parts.push(choices);
  const error = make("p", "error", view.error?.message ?? "");
  error.setAttribute("role", "alert");
  parts.push(error, buttons, make("p", "help", view.phase === "sent" ? "Waiting for the host…" : view.help));
  dialog.setAttribute("role", view.role);
  dialog.classList.toggle("danger", view.unsafe);
  // The field stays where it is: one that is moved loses its focus and what an input method composes.
  const before = field?.parentNode === dialog ? parts.indexOf(field) : -1;
  for (const old of [...dialog.childNodes]) if (old !== field) old.remove();
  if (before < 0) dialog.replaceChildren(...parts);
  else {
    field.before(...parts.slice(0, before));
    field.after(...parts.slice(before + 1));
  }
  const focused = view.controls.find((control) => control.focused);
  const element = focused.role === "textbox" ? field : dialog.querySelector(`[data-control="${focused.id}"]`);
  if (element !== document.activeElement) element?.focus();
  clearTimeout(alarm);
  const next = shown.modal.nextDeadline();
  if (next !== null) alarm = setTimeout(() => shown && perform(shown.modal.tick(now())), Math.max(next - now(), 0));
};

const makeButton = ({ id, label, description, enabled, style, hotkey, recommended }, { armed }) => {
  const button = make("button", style, label);
  button.type = "button";
  button.dataset.control = id;
  button.classList.toggle("armed", armed);
  button.setAttribute("aria-disabled", String(!enabled));
  if (recommended) button.append(make("small", "", "recommended"));
  if (description) button.append(make("small", "", description));
  if (hotkey) button.append(make("kbd", "", hotkey));
  return button;
};

const makeField = () => {
  const field = make("textarea");
  field.rows = 3;
  field.addEventListener("input", () => input({ type: "setText", text: field.value }));
  return field;
};

/** Whether a key in the text field is for the modal; the field handles the others, and says what comes of them by `input`. */
const leavesField = ({ key, shiftKey, altKey }) =>
  ["Escape", "Tab", "PageUp", "PageDown"].includes(key) || (key === "Enter" && !shiftKey && !altKey);

dialog.addEventListener("keydown", (event) => {
  if (event.target.tagName === "TEXTAREA" && !leavesField(event)) return;
  const key = keyInput(event);
  // What an input method takes is its own, and the shortcuts of the browser stay.
  if (key === null || key.composing || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  input(key);
});
dialog.addEventListener("cancel", (event) => event.preventDefault());
dialog.addEventListener("click", (event) => {
  const control = event.target.closest("[data-control]")?.dataset.control;
  if (control !== undefined) input({ type: "activate", control });
});
// A pointer moves no focus: the modal says where it is.
dialog.addEventListener("mousedown", (event) => {
  if (event.target.closest("button")) event.preventDefault();
});
dialog.addEventListener("focusin", (event) => {
  if (event.target.tagName === "TEXTAREA") input({ type: "focus", control: "text" });
});

connect();
