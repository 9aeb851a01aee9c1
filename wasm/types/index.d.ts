// What `askgate` offers: what `askgate/modal` does, and the host's side.

import type { Answer, AskUser, AskUserRequest, Held, Outcome, PromptAnswer, Question, Questions, SessionPrompt } from "./modal.js";

export * from "./modal.js";

/** A connection, by the id that `connect` gave or the host chose: the digits of a number from 1 to 2^53-1. */
export type ConnectionId = string;

/** A prompt of a gate: the digits of its number. */
export type PromptId = string;

/** The bounds (spec: text and limits), in bytes of UTF-8 or by number. */
export interface Limits {
  lineBytes: number;
  titleBytes: number;
  bodyBytes: number;
  idBytes: number;
  labelBytes: number;
  descriptionBytes: number;
  questionBytes: number;
  choices: number;
  answerBytes: number;
  reasonBytes: number;
  pending: number;
  pendingPerSurface: number;
  connections: number;
  remembered: number;
  queued: number;
}

/** What a host fixes before it asks anything. */
export interface Config {
  limits?: Partial<Limits>;
  /** The first prompt's number, 1 unless given. After a restart give one that was never used. */
  firstPromptId?: number | string;
  /** What to add to `now` to get milliseconds since the Unix epoch, for `created_at`. */
  wallClockOffset?: number;
}

/** Nothing more happened. */
export interface Wait {
  readonly type: "wait";
  /** When to poll at the latest, or null if only another call can change something. */
  readonly deadline: number | null;
  /** In how many milliseconds that is, as much of it as a timer can hold. */
  readonly delay: number | null;
}

/** What a connection may do: given by the host, never by a message. */
export interface Authority {
  /** It gets dialect A's pushes, and B's too if it is also an operator. False unless given. */
  observer?: boolean;
  /** It may answer and cancel dialect A's prompts. True unless given. */
  answer?: boolean;
  /** It may bind sessions and resolve dialect B's prompts. False unless given. */
  operator?: boolean;
  /** It may ask for runs of dialect B, and end them. False unless given. */
  runtime?: boolean;
}

/** What the host is to do. */
export type Output =
  /** Send a line to a connection; the line end is the host's to add. The connection may be gone by now. */
  | { readonly type: "send"; readonly to: ConnectionId; readonly line: string }
  /** Open a pane, then call `paneOpened` or `paneFailed`. */
  | { readonly type: "openPane"; readonly request: number; readonly placement: "workspace" | "right" | "down" }
  /** Close a pane, then call `paneClosed`. */
  | { readonly type: "closePane"; readonly agent: string }
  | Availability;

/** Whether somebody can be asked has changed: for a session, or for one run with a client of its own. */
export interface Availability {
  readonly type: "availability";
  readonly session: string;
  readonly run: string | null;
  readonly available: boolean;
}

/** The protocol of an elicitation client. */
export type Protocol = "acp" | "mcp-2025-11-25" | "mcp-2026-07-28";

/** The whole protocol server without its I/O: lines in, lines out. Each call first ends what is due. */
export class Endpoint extends Held {
  constructor(config?: Config);
  /** @throws AskgateError `at_capacity` */
  connect(now: number, authority?: Authority): ConnectionId;
  /**
   * Takes one line, without its end. If it says `full`, poll and give the line again.
   *
   * @throws AskgateError `not_found` if the connection is not open.
   */
  receive(now: number, connection: ConnectionId, line: string | Uint8Array): "taken" | "full";
  /** The next output. Early or twice does no harm. */
  poll(now: number): Output | Wait;
  nextDeadline(): number | null;
  /** A connection is gone. Gives how many prompts ended. */
  disconnect(now: number, connection: ConnectionId): number;
  closeSurface(now: number, surface: string): number;
  endRun(now: number, session: string, run: string): number;
  endSession(now: number, session: string): number;
  shutdown(now: number): number;
  canAsk(session: string, run: string): boolean;
  paneOpened(now: number, request: number, agent: string, surface: string): void;
  paneFailed(now: number, request: number, why: string): void;
  paneClosed(now: number, agent: string): number;
  /** Attaches a connection as a run's own elicitation client. Gives whether it can be asked. */
  attachClient(
    now: number,
    connection: ConnectionId,
    session: string,
    run: string,
    protocol: Protocol,
    capabilities: object | string,
  ): boolean;
}

/** Something to ask. `asker` is the connection that asks. */
export type Ask =
  | { dialect: "agent"; request: AskUser; asker?: ConnectionId }
  | { dialect: "session"; session: string; run: string; request: Questions; asker?: ConnectionId };

/** One person in one chat. */
export interface ChatAddress {
  platform: string;
  bot: string;
  chat: string;
  thread?: string;
  user: string;
}

/** What somebody brings who wants to change a prompt; all of it must match. */
export type Claim =
  | { kind: "request"; prompt: PromptId; connection?: ConnectionId; surface?: string; user?: string }
  | { kind: "session"; prompt: PromptId; session: string; run: string; connection: ConnectionId }
  | { kind: "chat"; prompt: PromptId; session: string; run: string; address: ChatAddress };

export type Resolution = PromptAnswer | "decline" | "cancel" | { cancel: string };

/** Something that happened in a gate. */
export type GateEvent =
  | { readonly type: "shown"; readonly seq: number; readonly prompt: PromptId }
  | {
      readonly type: "resolved";
      readonly seq: number;
      readonly prompt: PromptId;
      readonly outcome: "answered";
      /** The value (dialect A), or an answer to each question (dialect B). */
      readonly answers: string | (Answer & { selected: string[] })[];
    }
  | {
      readonly type: "resolved";
      readonly seq: number;
      readonly prompt: PromptId;
      readonly outcome: Exclude<Outcome, "answered">;
      /** Why it was cancelled, where somebody said. */
      readonly reason?: string;
    }
  | Availability;

/** Holds prompts and lets each end exactly once. The same engine as in `Endpoint`, without wire formats. */
export class Gate extends Held {
  constructor(config?: Config);
  /** @throws AskgateError with the fault of the request, or `busy`, `unavailable`, `at_capacity`. */
  ask(now: number, ask: Ask | string): PromptId;
  bind(now: number, session: string, connection: ConnectionId): void;
  /** Gives whether there was such a binding. */
  unbind(now: number, session: string, connection: ConnectionId): boolean;
  bindChat(now: number, session: string, address: ChatAddress): void;
  unbindChat(now: number, session: string, address: ChatAddress): boolean;
  /** Gives whether the client shows forms, so that the run can be asked. */
  attachClient(
    now: number,
    connection: ConnectionId,
    session: string,
    run: string,
    protocol: Protocol,
    capabilities: object | string,
  ): boolean;
  canAsk(session: string, run: string): boolean;
  /** Takes the first step of a confirm-command for the claimant. */
  acknowledge(now: number, claim: Claim | string): boolean;
  back(now: number, claim: Claim | string): boolean;
  /** @throws AskgateError `not_found` (with `field`), `already_resolved` (with `outcome`), `invalid_answer`, `not_acknowledged` */
  resolve(now: number, claim: Claim | string, resolution: Resolution | string): Outcome;
  /** The surface that shows a prompt is lost. */
  lose(now: number, claim: Claim | string): Outcome;
  /** The asker no longer wants it. Gives whether it was pending and theirs. */
  withdraw(now: number, prompt: PromptId, asker: ConnectionId): boolean;
  closeSurface(now: number, surface: string): number;
  disconnect(now: number, connection: ConnectionId): number;
  endRun(now: number, session: string, run: string): number;
  endSession(now: number, session: string): number;
  shutdown(now: number): number;
  poll(now: number): GateEvent | Wait;
  nextDeadline(): number | null;
  /** The ids of all pending prompts in ask order, or of a surface's or a session's. */
  pending(of?: { surface: string } | { session: string }): PromptId[];
  /** A prompt, while it is pending. */
  get(prompt: PromptId): AskUserRequest | SessionPrompt | null;
  /** Who asked a prompt, pending or remembered. */
  asker(prompt: PromptId): ConnectionId | null;
  /** The number of the last event, and what is pending after it. */
  snapshot(): { seq: number; pending: PromptId[] };
}

/** Whether a client with these capabilities (the whole object that it negotiated) can show forms. */
export function canElicit(protocol: Protocol, capabilities: object | string): boolean;

/** What an ACP request is about; the other protocols have none. */
export type ElicitationScope = { sessionId: string; toolCallId?: string } | { requestId: string | number };

/** `{method, params}`, or for MCP 2026-07-28 the `input_required` result. */
export type ElicitationRequest =
  | { method: "elicitation/create"; params: { mode: "form"; message: string; requestedSchema: object; [key: string]: unknown } }
  | { resultType: "input_required"; inputRequests: { ask: object } };

/** A form as it goes out to an elicitation client. */
export function elicitationRequest(
  protocol: Protocol,
  questions: Question[] | Questions,
  scope?: ElicitationScope,
): ElicitationRequest;

/** What the `ask` tool returns. */
export interface ToolResult {
  isError: boolean;
  content: { type: "text"; text: string }[];
  details:
    | { status: "answered"; results: (Answer & { selected: string[] })[] }
    | { status: Exclude<Outcome, "answered"> | "busy" | "invalid_request"; reason?: string; code?: string; path?: string };
}

/** The tool result that a client's response (`{action, content?}`) comes to. */
export function elicitationResult(protocol: Protocol, questions: Question[] | Questions, response: object | string): ToolResult;
