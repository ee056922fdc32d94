import { isObject, oneLine, textOf } from "claw-contract";
import type { RunUpdate } from "./run-update.ts";
import type { RunFacts } from "./run-facts.ts";
import type { RunProgress } from "./run-reader.ts";

const MAX_DETAIL_CHARS = 60;

/** Fields of a tool's input that describe the call in a few words, the best description first. */
const SHOWN_ARGUMENTS = ["description", "command", "file_path", "path", "query", "pattern", "url", "prompt"];

function detailOf(input: unknown): string {
  if (!isObject(input)) return "";
  const telling = SHOWN_ARGUMENTS.map((field) => textOf(input[field])).find((text) => text !== "") ?? "";
  return oneLine(telling.slice(0, MAX_DETAIL_CHARS));
}

/** A call of a tool in a few words. */
export function describeCall(name: string, input: unknown): string {
  const detail = detailOf(input);
  return detail === "" ? name : `${name}: ${detail}`;
}

/** What an agent is doing, in a few words; null when an update says nothing about it. */
export function activityOf(update: RunUpdate): string | null {
  switch (update.kind) {
    case "text":
    case "text-delta":
      return "writing";
    case "thinking":
      return "thinking";
    case "tool-call":
      return describeCall(update.name, update.input);
    case "tool-result":
      return "thinking";
    case "retry":
      return "trying again";
    case "request":
      return `asking about ${update.tool}`;
    case "session":
    case "turn-started":
      return "starting";
    case "turn-end":
      return "done";
    case "message":
    case "task":
    case "permission-denied":
    case "usage":
    case "limit":
    case "failure":
    case "notice":
    case "model":
    case "warning":
      return null;
  }
}

/** Progress of a run whose stream is still open. Totals from the agent take precedence over sums over its messages. */
export const progressOf = ({ usage, liveUsage, latest, ...facts }: RunFacts): RunProgress => ({
  inputTokens: usage.inputTokens ?? liveUsage.inputTokens,
  outputTokens: usage.outputTokens ?? liveUsage.outputTokens,
  messageInputTokens: liveUsage.inputTokens,
  costUsd: usage.costUsd ?? null,
  sessionId: facts.sessionId,
  model: facts.model,
  permissionMode: facts.permissionMode,
  activity: latest === null ? null : activityOf(latest),
  sawResult: facts.turnEnd !== null && !facts.isTurnOpen,
  turns: facts.turnsStarted,
  // A limit that is not reached also has a reset time, hours away. Other failures have nothing to do with that time.
  limitResetsAtMs: facts.limit?.reached === true ? facts.limit.resetsAtMs : null,
  backgroundTasks: facts.tasks.running(),
});
