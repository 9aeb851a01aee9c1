// What `askgate/modal` offers: all that a page needs to show prompts. `askgate` has it, too, and the host's side besides.
//
// Times are whole numbers of milliseconds from 0 to 2^53-1, from any fixed origin of the caller's. Wherever an object is
// taken that the wire has as JSON, its JSON text is taken as well. A lone surrogate in a text counts as U+FFFD.

/** What `init` loads the module from. */
export type InitInput = string | URL | Request | Response | BufferSource | WebAssembly.Module;

/**
 * Loads the module. Await it before anything else; with entries that are ready once imported it does nothing. To call it
 * twice, or twice at once, is fine, and after a failure it may be tried again.
 *
 * @param input Where the module is to come from, if not from the file beside this script.
 * @throws AskgateError `load_failed`
 */
export function init(input?: InitInput | Promise<Response | BufferSource | WebAssembly.Module>): Promise<void>;

/**
 * Takes the module from the caller at once: its bytes, or compiled.
 *
 * @throws AskgateError `load_failed`
 */
export function initSync(input: BufferSource | WebAssembly.Module): void;

/** The stable codes of what was sent and could not be taken. */
export type RequestCode =
  | "parse_error"
  | "invalid_request"
  | "unknown_method"
  | "unknown_field"
  | "missing_field"
  | "wrong_type"
  | "invalid_value"
  | "duplicate_key"
  | "duplicate"
  | "too_long"
  | "too_many"
  | "forbidden"
  | "not_found"
  | "already_resolved"
  | "busy"
  | "at_capacity"
  | "unavailable"
  | "not_acknowledged"
  | "invalid_answer"
  | "id_in_use"
  | "pane_failed";

/** The codes that only JavaScript has: of the module, and of objects. */
export type ObjectCode = "not_initialised" | "load_failed" | "freed" | "poisoned" | "panicked";

export type Code = RequestCode | ObjectCode;

/** Why something was refused. Nothing has changed then. */
export class AskgateError extends Error {
  constructor(
    code: Code,
    path: string,
    message: string,
    more?: { cause?: unknown; field?: IdentityField; outcome?: Outcome },
  );
  readonly name: "AskgateError";
  /** The stable code. */
  readonly code: Code;
  /** A JSON pointer (RFC 6901) to what is at fault; empty if it is no one field. */
  readonly path: string;
  /** Of a claim that is not the prompt's: the first field that differs. Never tell it to a peer. */
  readonly field?: IdentityField;
  /** Of `already_resolved`: how the prompt ended. */
  readonly outcome?: Outcome;
}

/** What of a claim can differ from a prompt. */
export type IdentityField =
  | "kind"
  | "session"
  | "run"
  | "connection"
  | "platform"
  | "bot"
  | "chat"
  | "thread"
  | "user";

/** How a prompt ended. */
export type Outcome = "answered" | "declined" | "cancelled" | "timed_out" | "unavailable" | "invalid_answer";

/** A choice of dialect A. */
export interface Choice {
  id: string;
  label?: string;
}

interface AskUserCommon {
  /** Where it is to be shown. */
  surface_id: string;
  agent_id?: string;
  /** One line. */
  title: string;
  body?: string;
  unsafe?: boolean;
  timeout_ms?: number;
}

/** The params of `agent.ask_user` (dialect A). */
export type AskUser =
  | (AskUserCommon & { kind: "yesno"; default?: "yes" | "no" })
  | (AskUserCommon & { kind: "choice"; choices: Choice[]; default?: string })
  | (AskUserCommon & { kind: "text"; default?: string })
  | (AskUserCommon & { kind: "confirm-command" });

/** A prompt of dialect A as a surface gets it. */
export type AskUserRequest = AskUser & { request_id: string; created_at: number };

/** An option of dialect B. */
export interface QuestionOption {
  label: string;
  description?: string;
}

/** A question of dialect B; without options it asks for free text. */
export interface Question {
  id: string;
  question: string;
  header?: string;
  options: QuestionOption[];
  multi?: boolean;
  /** An index into the options. A hint and never an answer. */
  recommended?: number;
}

/** What a session asks (dialect B). */
export interface Questions {
  questions: Question[];
  timeout_ms?: number;
}

/** A prompt of dialect B as a surface gets it: the params of `session.prompt.requested`. */
export type SessionPrompt = Questions & {
  seq?: number;
  prompt_id: string;
  session_key: string;
  run_id: string;
  created_at: number;
};

/** What can be shown. What the gate's side adds (ids and times) may be absent. */
export type Prompt = AskUser | AskUserRequest | Questions | SessionPrompt;

/** An answer to one question of dialect B. */
export interface Answer {
  id: string;
  selected?: string[];
  custom?: string;
}

/** An answer to a whole prompt: the value (dialect A), or an answer to each question (dialect B). */
export type PromptAnswer = { value: string } | { answers: Answer[] };

/** A control of a modal. */
export type ControlId =
  | "yes"
  | "no"
  | "ack"
  | "run"
  | "back"
  | `option:${number}`
  | "custom"
  | "text"
  | "prev"
  | "next"
  | "submit"
  | "cancel"
  | "decline";

/** One thing that happened on the surface. */
export type Input =
  | { type: "key"; key: string; repeat?: boolean; composing?: boolean }
  | { type: "paste"; text: string }
  | { type: "setText"; text: string }
  | { type: "activate"; control: ControlId }
  | { type: "focus"; control: ControlId }
  | { type: "resize"; rows: number };

/** What the page is to do. After all but `none` it draws the view again. */
export type Effect =
  | { readonly type: "none" }
  | { readonly type: "redraw" }
  /** Send the answer of a prompt of dialect A. */
  | { readonly type: "submit"; readonly value: string; readonly answers?: undefined }
  /** Send the answers of a prompt of dialect B. */
  | { readonly type: "submit"; readonly answers: (Answer & { selected: string[] })[]; readonly value?: undefined }
  | { readonly type: "decline" }
  | { readonly type: "cancel" }
  | { readonly type: "acknowledge" }
  | { readonly type: "back" };

/** How a modal behaves. */
export interface ModalOptions {
  /** How many rows of the list there is room for; all, unless given. */
  rows?: number;
  /** How long what could answer does nothing after something new appears; 250 ms, or 1,000 for a command. 0 turns it off. */
  guardMs?: number;
  /** How long to wait for what was sent to be confirmed, before it can be sent again; 5,000 ms. */
  confirmMs?: number;
  /** Ctrl+C leaves, as in a terminal; true unless given. In a page it is copy: say false. */
  terminal?: boolean;
  /** When the prompt times out, to be shown with it; now and its `timeout_ms`, unless given. */
  deadline?: number;
}

/** Something that can be focused. */
export interface Control {
  id: ControlId;
  label: string;
  description: string | null;
  role: "button" | "radio" | "checkbox" | "textbox";
  checked: boolean | null;
  focused: boolean;
  enabled: boolean;
  style: "normal" | "danger";
  hotkey: string | null;
  recommended: boolean;
}

/** All that there is to draw. The texts are safe to show, except `text.value`, which is the draft as it is. */
export interface View {
  surface: string | null;
  attribution: string | null;
  role: "dialog" | "alertdialog";
  phase: "editing" | "sent" | "closed";
  page: { index: number; count: number };
  header: string | null;
  title: string;
  body: string | null;
  command: { text: string; has_hidden: boolean } | null;
  unsafe: boolean;
  deadline: number | null;
  /** False while the guard holds; dim the buttons. */
  armed: boolean;
  outcome: Outcome | null;
  window: { first: number; count: number } | null;
  controls: Control[];
  /** The cursor counts grapheme clusters. */
  text: { value: string; cursor: number } | null;
  error: { code: Code | "unconfirmed"; message: string; control: ControlId | null } | null;
  help: string;
}

/** An object of the module. What is done after `free()` throws `freed`. */
export abstract class Held {
  protected constructor();
  /** An internal error has broken this object; what is done with it throws `poisoned`. */
  readonly poisoned: boolean;
  /** Gives the memory back. Twice is fine; an object that is no longer reachable is freed some time later. */
  free(): void;
  [Symbol.dispose](): void;
}

/** One prompt on one surface: what the person does goes in, what to do comes out, and the view says what to draw. */
export class Modal extends Held {
  /** @throws AskgateError with the fault of the prompt. */
  constructor(prompt: Prompt | string, options: ModalOptions | undefined, now: number);
  input(now: number, input: Input): Effect;
  /**
   * @param key A character, or one of `Enter Esc Tab Up Down Left Right Home End PageUp PageDown Space Backspace Delete`,
   * with `Ctrl+`, `Alt+`, `Shift+`, `Meta+` before it.
   */
  key(now: number, key: string, repeat?: boolean, composing?: boolean): Effect;
  paste(now: number, text: string): Effect;
  /** The text field of the page now holds this. */
  setText(now: number, text: string): Effect;
  /** A click or a tap. */
  activate(now: number, control: ControlId): Effect;
  focus(now: number, control: ControlId): Effect;
  resize(now: number, rows: number): Effect;
  /** Lets time pass. Early or twice is harmless. */
  tick(now: number): Effect;
  /** The gate has taken the acknowledgement. */
  acknowledged(now: number): Effect;
  /** What was sent was refused, and can be sent again. */
  reject(now: number, error: { code: string; path?: string; message: string }): Effect;
  /** The prompt has ended, however it did. */
  close(now: number, outcome: Outcome): Effect;
  /** When time alone will change the view, or null. */
  nextDeadline(): number | null;
  view(): View;
}

/** What of a KeyboardEvent counts. */
export interface KeyLike {
  readonly key: string;
  readonly ctrlKey?: boolean;
  readonly altKey?: boolean;
  readonly shiftKey?: boolean;
  readonly metaKey?: boolean;
  readonly repeat?: boolean;
  readonly isComposing?: boolean;
  readonly keyCode?: number;
}

/** The input that a KeyboardEvent stands for, or null for a key that a modal does not know. */
export function keyInput(event: KeyLike): Extract<Input, { type: "key" }> | null;

/** The params of an `askUserEvent`. */
export type AskUserEvent =
  | { kind: "shown"; seq: number; request: AskUserRequest }
  | { kind: "resolved"; seq: number; request_id: string; response: AskUserResponse }
  | { kind: "snapshot"; seq: number; pending: AskUserRequest[] };

/** What `agent.ask_user` gives when the prompt has ended. */
export type AskUserResponse =
  | { request_id: string; action: "ok"; value: string }
  | { request_id: string; action: "timeout" }
  | { request_id: string; action: "cancel"; reason?: string };

/** A page's copy of what is pending. On a new connection `reset()` it and ask for a snapshot. */
export class Mirror extends Held {
  constructor();
  /** Takes a push. One that a snapshot included, or that came before, changes nothing. */
  apply(push: AskUserEvent | string): void;
  /** Takes the result of `askUserRequestSnapshot`. */
  snapshot(snapshot: { seq: number; pending: AskUserRequest[] }): void;
  reset(): void;
  /** The prompt of a surface that is to be shown now. */
  head(surface: string): AskUserRequest | null;
  /** How many prompts of a surface are pending. */
  count(surface: string): number;
  /** How many are pending on all surfaces. */
  len(): number;
  /** All that are pending, in ask order. */
  pending(): AskUserRequest[];
  /** The surfaces with pending prompts, by name. */
  surfaces(): { surface: string; count: number }[];
}

/**
 * Checks a prompt as a gate does.
 *
 * @throws AskgateError with the first fault.
 */
export function checkPrompt(prompt: Prompt | string | Uint8Array): void;

/**
 * Checks an answer to a prompt as a gate does.
 *
 * @throws AskgateError `invalid_answer` or `too_long`, with its place.
 */
export function checkAnswer(prompt: Prompt | string, answer: PromptAnswer | string): void;

/** Shows what a text hides: what is invisible, or moves other characters, becomes an escape such as `\u{202E}`. */
export function displaySafe(text: string, mode: "line" | "body" | "command"): { text: string; hasHidden: boolean };

/** At most `limit` units of a text, cut between grapheme clusters and ending in `…` if something was left out. */
export function cut(text: string, limit: number, unit: "graphemes" | "scalars" | "utf16" | "bytes"): string;
