import { createHash } from "node:crypto";
import { LIMITS } from "claw-contract";
import type { Dialect } from "../dialect.ts";
import type { OpenCalls } from "../stores/open-calls.ts";
import { createOpenCalls } from "../stores/open-calls.ts";
import { REMEMBERED, remember } from "../stores/remember.ts";
import type { RunUpdate } from "./run-update.ts";

/** What adapters remember between the events of one stream. Only `translate` and `end` write to it. */
export interface StreamState {
  /** Dialect of the stream; null until an event shows the dialect. */
  dialect: Dialect | null;
  /** Thread id of the main conversation. Events of other threads belong to sub-agents. */
  thread: string | null;
  sawInit: boolean;
  /** The agent's word for a failure, until the turn ends. */
  failureWord: string | null;
  turnStarted: boolean;
  /** What the last list of background tasks held: descriptions by id. */
  listedTasks: ReadonlyMap<string, string>;
  /** Whether a message of the agent was completed, even one without text. */
  sawMessage: boolean;
  /** Events the agent says it dropped. */
  droppedEvents: number;
  /** Whether a sandbox may have stopped what a command wanted to write. */
  readonly isSandboxed: boolean;
  readonly openCalls: OpenCalls;
  /** Id of the message that began last. */
  begunMessage: string;
  /** Text that is still being written, by the id of its message. */
  readonly partialText: Map<string, string>;
  /** Total number of characters in `partialText`. */
  partialChars: number;
  /** Whether partial text was dropped because there was too much. */
  isPartialCut: boolean;
  /** Whether `stream_events` holds less of an event than the agent wrote. */
  isEventCut: boolean;
  /** Keys of facts that were told once and are not repeated. */
  readonly noted: Set<string>;
}

export const createStreamState = (isSandboxed = true): StreamState => ({
  dialect: null,
  thread: null,
  sawInit: false,
  failureWord: null,
  turnStarted: false,
  listedTasks: new Map(),
  sawMessage: false,
  droppedEvents: 0,
  isSandboxed,
  openCalls: createOpenCalls(),
  begunMessage: "",
  partialText: new Map(),
  partialChars: 0,
  isPartialCut: false,
  isEventCut: false,
  noted: new Set(),
});

const LONGEST_KEY = 256;

/** A short key for a text that is only compared: the text itself, or the hash of a long text. */
const keyOf = (text: string): string =>
  text.length <= LONGEST_KEY ? text : createHash("sha256").update(text).digest("hex");

/** Whether `what` is told for the first time. Past the limit the answer is always false. */
export function tellOnce({ noted }: StreamState, what: string): boolean {
  const key = keyOf(what);
  if (noted.has(key) || noted.size >= REMEMBERED) return false;
  noted.add(key);
  return true;
}

/** Keeps a piece of text that is still being written, by the message it belongs to. Past the limit nothing is kept. */
export function notePiece(state: StreamState, message: string, text: string): void {
  if (state.partialChars >= LIMITS.runOutputBytes) {
    state.isPartialCut = true;
    return;
  }
  remember(state.partialText, message, (state.partialText.get(message) ?? "") + text);
  state.partialChars += text.length;
}

/** Forgets the pieces of a message: the whole was told, or the agent gave it up. */
export function dropPieces(state: StreamState, message: string): void {
  if (state.partialText.size === 0) return;
  state.partialChars -= state.partialText.get(message)?.length ?? 0;
  state.partialText.delete(message);
}

/** The text of a message whose whole never came, once. */
export function flushPieces(state: StreamState, message: string): RunUpdate[] {
  const text = state.partialText.get(message) ?? "";
  dropPieces(state, message);
  return text === "" ? [] : [{ kind: "text", text, agent: null }];
}

/** The texts of all messages that were begun and not ended, once. */
export const flushAllPieces = (state: StreamState): RunUpdate[] =>
  [...state.partialText.keys()].flatMap((message) => flushPieces(state, message));
