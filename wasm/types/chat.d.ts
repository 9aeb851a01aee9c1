// What `askgate/chat` offers: what `askgate` does, and questions in Telegram and Discord.

import type { ChatAddress, Gate, PromptId, Wait } from "./index.js";
import type { Held } from "./modal.js";

export * from "./index.js";

export type Platform = "telegram" | "discord";

/** A chat that a prompt of dialect A is shown in, and who may answer it there; the first answer counts. */
export interface Audience {
  /** The chat, or Discord's channel. */
  chat: string;
  /** The topic within it. */
  thread?: string;
  /** The ids of the users. */
  users: string[];
}

/** Names an effect, for the report on it: the digits of a number. */
export type EffectId = string;

/**
 * One call of the platform's HTTP API:
 * - `acknowledge` tells the platform that a press was taken or refused: exactly one for each press, before all else that it
 *   caused. It is to be reported.
 * - `send` and `edit` are a message, to be reported.
 * - `notice` tells one person something. It may fail without harm.
 */
export interface Effect {
  readonly type: "acknowledge" | "send" | "edit" | "notice";
  readonly id: EffectId;
  readonly method: "POST" | "PATCH";
  /**
   * What follows the base address: of Telegram the method's name, below `/bot<token>/`; of Discord a path such as
   * `/channels/1/messages`, below the versioned API.
   */
  readonly path: string;
  /** The JSON to send, as it is. */
  readonly body: string;
}

/** What became of an update. */
export type Handled =
  | {
      /**
       * A press was taken (`taken`); came after its question, its prompt or its key was over, or its token was never made here
       * (`expired`); was somebody else's (`not_for_you`); or was delivered before, as a message may be (`duplicate`).
       * A message was taken and must not start a run (`captured`), or has nothing to do with a question: the one kind that may
       * start a run (`not_captured`). A chat was lost (`lost`). The update is none of a router's business (`ignored`).
       */
      readonly type: "taken" | "expired" | "not_for_you" | "duplicate" | "captured" | "not_captured" | "lost" | "ignored";
    }
  | {
      /** A press does nothing now (`refused`), or a message is no answer though a question waits for one (`hint`). */
      readonly type: "refused" | "hint";
      /** Why, as the person is told. */
      readonly reason: string;
    };

/** How an answer of the platform was understood, for logs: the router has acted on it. */
export type Report =
  | {
      /**
       * It was carried out (`done`), nothing was left to do (`benign`), the message is no longer there (`gone`), the chat takes
       * nothing from the bot any more (`lost`), or the platform will never take it (`rejected`).
       */
      readonly type: "done" | "benign" | "gone" | "lost" | "rejected";
    }
  | {
      /** The router tries it again. */
      readonly type: "retry";
      /** How many milliseconds the platform asks to wait, if it says so. */
      readonly afterMs: number | null;
    };

/** The platform's answer to a call. */
export interface PlatformAnswer {
  /** The HTTP status. */
  status: number;
  /** The body. */
  body: string;
}

/**
 * Turns the prompts of a gate into messages with buttons in the chats of one bot account, and what people do there into calls
 * on the gate, which alone decides. It does no I/O. Give the same gate to every call:
 *
 * 1. `addressOf` the message that starts a run, and `bindChat` it to the session, before the run is started.
 * 2. After each call, `gate.poll` until it says to wait: for `shown` call `show` with a fresh random handle, for `resolved`
 *    call `resolved`, before the next poll of the gate.
 * 3. Each update of the platform goes to `handle`. Only a message that is `not_captured` may start a run.
 * 4. `poll` until it says to wait: carry out each effect in order, and `report` the answer to a send, an edit or an
 *    acknowledgement; then go on with 2.
 * 5. `endRun` when a run is over, `loseChat` when the bot was blocked or removed.
 */
export class Router extends Held {
  /**
   * @param bot The account: of Telegram the bot's id, of Discord the application's.
   * @param key 32 random bytes, new for each start of the host, so that buttons of an earlier one expire.
   */
  constructor(platform: Platform, bot: string, key: Uint8Array);
  /** Where and from whom a message comes, or null if no person wrote it. Updates are taken as JSON, as the platform sends them. */
  addressOf(update: object | string): ChatAddress | null;
  /** @throws AskgateError `invalid_value` for an address of another platform or bot, or one that the platform does not have. */
  bindChat(now: number, gate: Gate, session: string, address: ChatAddress | string): void;
  /**
   * Shows a pending prompt: one of dialect B in its chat, if that is one of this bot; one of dialect A to each audience. Gives
   * in how many chats it is shown. Showing it twice is showing it once. A prompt of dialect B that the platform cannot show
   * is unavailable.
   *
   * @param handle 16 random bytes, drawn anew for each prompt.
   * @throws AskgateError `not_found` if the prompt is not pending, `id_in_use` if the handle names another.
   */
  show(now: number, gate: Gate, prompt: PromptId, handle: Uint8Array, audiences?: readonly Audience[] | string): number;
  /**
   * Tells of the `resolved` that the gate's last poll gave: the prompt's messages get their last form, without buttons. A
   * time-out, and the end of the run or of the session, also unbind the chat. Give every such event to every router of the gate.
   *
   * @throws AskgateError `not_found` if the last poll gave another event.
   */
  resolved(now: number, gate: Gate, prompt: PromptId): void;
  /** A run is over, or was cancelled: its prompt is cancelled and its chat unbound. Gives how many prompts ended. */
  endRun(now: number, gate: Gate, session: string, run: string): number;
  /** A chat takes nothing from the bot any more. Gives how many sessions were unbound. */
  loseChat(now: number, gate: Gate, chat: string): number;
  /** Takes an update: of Telegram an `Update`; of Discord a gateway event with `t` and `d`, or an interaction. */
  handle(now: number, gate: Gate, update: object | string): Handled;
  /**
   * Tells what became of an effect; null if no answer came, and it is tried again. Reports that nothing waits for are ignored.
   */
  report(now: number, gate: Gate, effect: EffectId, answer: PlatformAnswer | null): Report;
  /** The next effect. Early, late or twice does no harm. */
  poll(now: number): Effect | Wait;
}
