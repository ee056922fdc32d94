import { LIMITS } from "claw-contract";
import type { RunUpdate } from "./run-update.ts";
import type { StreamState } from "./stream-state.ts";
import { remember } from "./stream-state.ts";

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
