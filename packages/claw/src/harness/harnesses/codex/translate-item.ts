import { stringOrNull, textOf } from "claw-contract";
import { dropPieces, tellOnce } from "../../stream/stream-state.ts";
import type { RunUpdate } from "../../stream/run-update.ts";
import type { StreamState } from "../../stream/stream-state.ts";
import { saysSandbox } from "../../stores/limited-stores.ts";
import { OUTPUT_CUT_WARNING, isOutputCut } from "./codex-rules.ts";
import type { CodexItem } from "./item.ts";
import { hasFailed, outputOf, readCall, subagentTexts } from "./item.ts";
import { NO_UPDATES } from "../../stream/run-update.ts";

/** Translates the start of an item. Only a call of a tool yields an update. */
export function translateItemStart(item: CodexItem, agent: string | null, state: StreamState): readonly RunUpdate[] {
  const call = readCall(item);
  if (call === undefined || state.openCalls.get(item.id) !== undefined) return NO_UPDATES;
  // A question about a change of files names the call alone; other calls need not be remembered whole.
  const input = call.name === "file_change" ? { input: call.input } : {};
  state.openCalls.add(item.id, { name: call.name, background: false, ...input });
  return [{ kind: "tool-call", id: item.id, ...call, agent }];
}

/** Why a call was refused; null for one that was not. */
function refusalOf(item: CodexItem, state: StreamState): string | null {
  if (item.status === "declined") return "declined";
  const isCommand = item.type === "command_execution" && hasFailed(item);
  return isCommand && state.isSandboxed && saysSandbox(outputOf(item)) ? "sandbox" : null;
}

function translateCallEnd(item: CodexItem, agent: string | null, state: StreamState): readonly RunUpdate[] {
  const updates: RunUpdate[] = [...translateItemStart(item, agent, state)];
  state.openCalls.end(item.id);
  updates.push({ kind: "tool-result", id: item.id, failed: hasFailed(item), output: outputOf(item), agent });
  const call = readCall(item);
  const refusal = refusalOf(item, state);
  if (refusal !== null && call !== undefined) {
    updates.push({ kind: "permission-denied", tool: call.name, id: item.id, input: call.input, reason: refusal });
  }
  for (const [thread, text] of subagentTexts(item)) {
    if (tellOnce(state, `${thread} ${text}`)) updates.push({ kind: "text", text, agent: thread });
  }
  if (isOutputCut(item.fields)) state.isEventCut = true;
  if (isOutputCut(item.fields) && tellOnce(state, OUTPUT_CUT_WARNING)) {
    updates.push({ kind: "warning", text: OUTPUT_CUT_WARNING });
  }
  return updates;
}

/** Notices of lost events begin with their number. */
function droppedEvents(text: string): number {
  const match = /^[+]?(\d[\d_]*) /.exec(`${text} `);
  return match === null ? 0 : Number(match[1]?.replaceAll("_", ""));
}

/** Translates a finished item: a message, a thought, a call or a notice. */
export function translateItemEnd(item: CodexItem, agent: string | null, state: StreamState): readonly RunUpdate[] {
  const { type, fields, id } = item;
  switch (type) {
    case "agent_message": {
      dropPieces(state, id);
      state.sawMessage = true;
      const text = stringOrNull(fields["text"]);
      return text === null ? NO_UPDATES : [{ kind: "text", text, agent }];
    }
    case "reasoning":
      return [{ kind: "thinking", text: textOf(fields["text"]), agent }];
    case "error": {
      const text = textOf(fields["message"]);
      const dropped = droppedEvents(text);
      state.droppedEvents += dropped;
      return [{ kind: "notice", text, ...(dropped > 0 ? { isCounted: true } : {}) }];
    }
    default:
      return readCall(item) === undefined ? NO_UPDATES : translateCallEnd(item, agent, state);
  }
}
