import type { HarnessId, JsonObject, RunResult } from "claw-contract";
import { LIMITS, stripAnsi } from "claw-contract";
import { cutText, refusalWarning } from "../stores/limited-stores.ts";
import type { KeptEvents } from "../stores/event-store.ts";
import type { ExitFacts, RunVerdict } from "./verdict.ts";
import { judge, limitReached, readExit, runFailureOf } from "./verdict.ts";
import type { RunFacts } from "../stream/run-facts.ts";
import type { ExitEvidence, RunReaderOptions } from "../stream/run-reader.ts";
import type { StreamRules } from "../stream/stream-rules.ts";
import type { StreamState } from "../stream/stream-state.ts";
import type { AgentUsage } from "../stream/run-update.ts";

/** Whether the agent has told no total of the turn that it began last. */
export const isUsagePartial = ({ usage, turnEnd, isTurnOpen }: RunFacts): boolean =>
  turnEnd === null || isTurnOpen || usage.inputTokens === undefined;

/** The larger of two counts; undefined when neither is known. */
const larger = (reported: number | undefined, seen: number): number | undefined =>
  reported === undefined && seen === 0 ? undefined : Math.max(reported ?? 0, seen);

/** What a stream has shown of usage so far: totals that were told, or the sum over messages where that is more. */
export function usageSeen({ usage, liveUsage }: Pick<RunFacts, "usage" | "liveUsage">): AgentUsage {
  const inputTokens = larger(usage.inputTokens, liveUsage.inputTokens);
  const outputTokens = larger(usage.outputTokens, liveUsage.outputTokens);
  return {
    ...usage,
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
  };
}

const SUBJECT_CHARS = 200;

/** Everything a result is made of. */
export interface ResultParts {
  readonly harness: HarnessId;
  readonly rules: StreamRules;
  readonly state: StreamState;
  readonly facts: RunFacts;
  readonly kept: KeptEvents;
  /** Diagnostics about lines of the stream that could not be read. */
  readonly diagnostics: readonly string[];
  /** Warnings that the result lists after the warnings about the process. */
  readonly lateWarnings: readonly string[];
  readonly options: RunReaderOptions;
  readonly evidence: ExitEvidence;
}

/** Warning for a stream that ends without a result of the agent. */
export const NO_RESULT = "stream-json ended without a 'result' message; token usage unavailable";
const LAST_MESSAGE = "last-message-empty: the stream held no message; output is what the agent left in a file";

const isTextCut = ({ facts, state }: ResultParts): boolean =>
  facts.output.isCut() || facts.subagentOutput.isCut() || state.isPartialCut;

/** Whether anything of the run is missing in the result because there was too much of it. */
function isCut(parts: ResultParts): boolean {
  const { facts, state, kept, evidence } = parts;
  const isFileCut = Buffer.byteLength(evidence.lastMessage ?? "") >= LIMITS.runOutputBytes;
  const isTextMissing =
    isTextCut(parts) || isFileCut || (runFailureOf(facts)?.error?.length ?? 0) > LIMITS.runErrorChars;
  const areEventsMissing = kept.isCut || kept.eventsEnded || state.isEventCut || facts.lostLines > 0;
  return isTextMissing || areEventsMissing || facts.denials.isCut() || facts.warnings.isCut();
}

/** The text from the agent's last-message file counts when the stream held no message. */
function finalText({ facts, state, evidence }: ResultParts): { readonly text: string; readonly isFromFile: boolean } {
  const fromFile = state.sawMessage ? "" : (evidence.lastMessage ?? "");
  return fromFile === "" ? { text: facts.output.text(), isFromFile: false } : { text: fromFile, isFromFile: true };
}

const isSilent = ({ rules, facts }: ResultParts, exit: ExitFacts): boolean =>
  rules.announcesEnd && facts.turnEnd === null && exit.forced === null;

function* warningsOf(parts: ResultParts, exit: ExitFacts, verdict: RunVerdict): Generator<string> {
  const { rules, facts, state, kept, evidence, lateWarnings } = parts;
  yield* facts.warnings.all();
  if (kept.eventsEnded) yield "stream-events-truncated: further events are in raw_messages alone";
  if (isSilent(parts, exit)) yield NO_RESULT;
  if (verdict.warning !== null) yield verdict.warning;
  const limit = verdict.error === null ? undefined : limitReached(facts.turnEnd?.terminalReason ?? null);
  if (limit !== undefined) yield `limit: the agent stopped because it had used up its ${limit}`;
  const refusal = refusalWarning(facts.denials.all());
  if (refusal !== null) yield refusal;
  const stderr = rules.filterStderr(evidence.stderr);
  if (stderr.trim() !== "" && (verdict.tellsStderr || rules.alwaysTellsStderr)) yield stderr;
  yield* rules.stderrWarnings(stderr);
  if (state.droppedEvents > 0) yield `dropped-events: ${state.droppedEvents} events were dropped by the agent`;
  if (finalText(parts).isFromFile) yield LAST_MESSAGE;
  if (evidence.ended === "linger") yield "linger: the process stayed after its last result and was ended";
  yield* lateWarnings;
  if (isTextCut(parts)) yield "output-truncated: the agent wrote more text than is kept";
  if (kept.problem !== null) yield `spool: ${kept.problem}`;
}

function* diagnosticsOf(parts: ResultParts, exit: ExitFacts): Generator<string> {
  const suffix = subjectSuffix(parts.options.subject);
  for (const line of parts.options.diagnostics ?? []) yield line + suffix;
  yield* parts.diagnostics;
  if (exit.forced !== null) return;
  if (parts.facts.apiKeySource !== null) yield `apiKeySource=${parts.facts.apiKeySource}${suffix}`;
  if (isSilent(parts, exit)) yield NO_RESULT;
}

function metadataOf({ rules, facts, state, kept, options, evidence }: ResultParts): JsonObject {
  const { cliVersion, sessionId, usage } = facts;
  const own = rules.metadata({
    sessionId,
    turnsStarted: facts.turnsStarted,
    usage,
    droppedEvents: state.droppedEvents,
  });
  return {
    ...options.metadata,
    ...(cliVersion === null ? {} : { cli_version: cliVersion }),
    ...own,
    ...facts.metadata,
    ...(kept.eventsEnded ? { stream_events_truncated: true } : {}),
    ...(evidence.ended === "by-itself" ? {} : { ended: evidence.ended }),
  };
}

function consumptionOf({ facts, rules, evidence }: ResultParts) {
  const { usage, turnEnd, turnsStarted } = facts;
  const isPartial = evidence.ended !== "not-started" && isUsagePartial(facts);
  const seen = isPartial ? usageSeen(facts) : usage;
  return {
    num_turns: turnEnd?.numTurns ?? (rules.countsTurns && turnsStarted > 0 ? turnsStarted : null),
    input_tokens: seen.inputTokens ?? 0,
    output_tokens: seen.outputTokens ?? 0,
    cache_read_input_tokens: seen.cacheReadTokens ?? 0,
    cache_creation_input_tokens: seen.cacheCreationTokens ?? 0,
    usage_partial: isPartial,
    cost_usd: usage.costUsd ?? null,
    duration_seconds: evidence.durationMs / 1000,
  };
}

function recordOf(parts: ResultParts) {
  const { kept, facts } = parts;
  const path = kept.path === undefined ? {} : { raw_messages_path: kept.path, stream_events_path: kept.path };
  return {
    permission_denials: [...facts.denials.all()],
    raw_messages: kept.raw,
    stream_events: kept.events,
    raw_messages_count: kept.rawCount,
    stream_events_count: kept.eventCount,
    ...path,
    truncated: isCut(parts),
  };
}

export function buildResult(parts: ResultParts): RunResult {
  const { harness, rules, facts, options, evidence } = parts;
  const exit = readExit(evidence, runFailureOf(facts) !== null);
  const stderr = rules.filterStderr(evidence.stderr);
  const { hangHeuristic = true, backgroundTasks = true } = options;
  const { text } = finalText(parts);
  const isMute = text.trim() === "";
  const verdict = judge(facts, exit, { rules, stderr, hangHeuristic, isMute, mayHaveTasks: backgroundTasks });
  const succeeded = exit.exitCode === 0 && !isMute;
  const asked = options.metadata?.["model"];
  return {
    harness,
    output: text,
    subagent_output: facts.subagentOutput.text(),
    exit_code: exit.exitCode,
    signal: exit.signal,
    error: verdict.error,
    error_category: verdict.category,
    api_error_status: verdict.status,
    api_unavailable: verdict.unavailable,
    terminal_reason: facts.turnEnd?.terminalReason ?? null,
    stop_reason: facts.turnEnd?.stopReason ?? facts.finalMessage.final().stopReason,
    succeeded,
    succeeded_cleanly:
      succeeded && verdict.error === null && verdict.category === null && facts.denials.all().length === 0,
    session_id: facts.sessionId,
    model: facts.model ?? (typeof asked === "string" ? asked : null),
    api_key_source: facts.apiKeySource,
    metadata: metadataOf(parts),
    ...consumptionOf(parts),
    warnings: [...warningsOf(parts, exit, verdict)],
    diagnostics: [...diagnosticsOf(parts, exit)],
    ...recordOf(parts),
  };
}

/** How a run is named at the end of a diagnostic: nothing, or the subject in brackets on the same line. */
function subjectSuffix(subject: string | undefined): string {
  const name = stripAnsi(subject ?? "")
    .replaceAll(/[\r\n]/g, " ")
    .replaceAll("\t", "")
    .trim();
  return name === "" ? "" : ` (${cutText(name, SUBJECT_CHARS, "")})`;
}
