import type { JsonObject } from "claw-contract";
import { textOf } from "claw-contract";
import { flushAllPieces } from "../../stream/stream-state.ts";
import type { RunUpdate } from "../../stream/run-update.ts";
import type { StreamState } from "../../stream/stream-state.ts";
import { translateServerEvent } from "./app-server-event.ts";
import { translateExecEvent } from "./exec-event.ts";

/** Notifications of the app-server about a part of an item. The whole item follows. The parts are signs of life. */
export const CODEX_PIECES = [
  "item/agentMessage/delta",
  "item/plan/delta",
  "item/reasoning/textDelta",
  "item/reasoning/summaryTextDelta",
  "item/reasoning/summaryPartAdded",
  "item/commandExecution/outputDelta",
  "item/fileChange/outputDelta",
  "item/fileChange/patchUpdated",
  "item/mcpToolCall/progress",
] as const;

/** Whether an event tells that the stream is Codex's. */
export const isCodexEvent = ({ type, method }: JsonObject): boolean =>
  /^(thread|turn|item)\./.test(textOf(type)) || typeof method === "string";

const PIECES: ReadonlySet<unknown> = new Set(CODEX_PIECES);

/** Whether an event is a piece of an item that follows as a whole. */
export const isCodexPiece = ({ method }: JsonObject): boolean => PIECES.has(method);

/** What an event of either protocol of Codex means. */
export function translateCodex(native: JsonObject, state: StreamState): readonly RunUpdate[] {
  return native["type"] === undefined ? translateServerEvent(native, state) : translateExecEvent(native, state);
}

/**
 * Ends the stream. Codex does not wait for running commands: a command that still runs when Codex exits is left behind.
 */
export function endCodex(state: StreamState): readonly RunUpdate[] {
  const updates = flushAllPieces(state);
  const calls = state.openCalls.endAll();
  const commands = calls.filter(([, { name }]) => name === "command_execution").length;
  for (const [id] of calls) updates.push({ kind: "tool-result", id, failed: true, output: "", agent: null });
  if (commands > 0) {
    updates.push({ kind: "warning", text: `unfinished-commands: ${commands} still ran when the agent left` });
  }
  return updates;
}
