import { constants } from "node:os";
import type { ErrorCategory } from "claw-contract";
import { LIMITS } from "claw-contract";
import { categoryOfText, saysUnavailable, saysWaiting } from "./classify.ts";
import { cutText } from "../stores/limited-stores.ts";
import type { RunFacts } from "../stream/run-facts.ts";
import type { RunFailure } from "../stream/run-update.ts";
import type { StreamRules } from "../stream/stream-rules.ts";
import type { ExitEvidence } from "../stream/run-reader.ts";

/** What the end of the process says. */
export interface ExitFacts {
  readonly exitCode: number;
  readonly signal: string | null;
  /**
   * Error of a process that was not started, was cancelled or ran out of time. This error alone decides the verdict.
   * Null for other ends.
   */
  readonly forced: { readonly error: string; readonly category: ErrorCategory | null } | null;
}

function signalNumber(signal: string): number {
  const numbers: Readonly<Record<string, number | undefined>> = constants.signals;
  return numbers[signal] ?? 1;
}

function ownEnd({ exitCode, signal }: ExitEvidence): ExitFacts {
  if (signal !== null) return { exitCode: -signalNumber(signal), signal, forced: null };
  return { exitCode: exitCode ?? 0, signal, forced: null };
}

const forcedEnd = (signal: string | null, error: string, category: ErrorCategory | null): ExitFacts => ({
  exitCode: -1,
  signal,
  forced: { error, category },
});

/** Reads the evidence. `hasFailed`: the stream reports that the last turn failed. */
export function readExit(evidence: ExitEvidence, hasFailed: boolean): ExitFacts {
  const { exitCode, signal, ended, startError } = evidence;
  switch (ended) {
    case "not-started":
      return forcedEnd(null, startError ?? "the agent did not start", null);
    case "cancelled":
      return forcedEnd(signal, "cancelled", null);
    case "total-deadline":
    case "idle-deadline":
      // An agent that exited with 0 at the very moment of the deadline was in time.
      return exitCode === 0 ? ownEnd(evidence) : forcedEnd(signal, "timeout", "timeout");
    case "linger":
      // The agent reported its result before claw ended the process, so the result decides and the exit does not.
      return { exitCode: hasFailed ? exitCode || 1 : 0, signal: null, forced: null };
    case "by-itself":
      return ownEnd(evidence);
  }
}

const LIMITS_REACHED: ReadonlyMap<string, string> = new Map([
  ["max_turns", "turns"],
  ["budget_exhausted", "money"],
]);

/** What a run had used up when it stopped, by its `terminal_reason`: a limit the caller set. Undefined for other ends. */
export const limitReached = (terminalReason: string | null): string | undefined =>
  LIMITS_REACHED.get(terminalReason ?? "");

/** Why a run that reported no failure is doubtful all the same. */
interface Doubt {
  readonly category: ErrorCategory;
  readonly warning: string;
}

/** Whether a run of one turn ended with a question. A run has no person who could answer. */
function hasAsked({ turnEnd, turnEnds, finalMessage }: RunFacts): boolean {
  const { stopReason, endsWithQuestion, asks } = finalMessage.final();
  const isSingleTurn = turnEnds === 1 && turnEnd?.numTurns === 1;
  return isSingleTurn && (turnEnd.stopReason ?? stopReason) === "end_turn" && (endsWithQuestion || asks);
}

/**
 * Whether the run left background work without waiting for its end. When the agent reports tasks, the tasks decide.
 * Otherwise the launches, the number of turns and the agent's text decide.
 */
function hasLeftWork({ tasks, launches, turnEnd, output, saysWaiting: said }: RunFacts): boolean {
  if (tasks.hasAny()) return tasks.leftBehind() > 0;
  if (launches === 0) return false;
  const numTurns = turnEnd?.numTurns ?? null;
  return said || (numTurns !== null && numTurns < launches + 2) || saysWaiting(output.text());
}

/** Judges the end of a run that reports success. Returns at most one doubt; a question comes first. */
function doubtOf(facts: RunFacts, mayHaveTasks: boolean): Doubt | undefined {
  if (facts.turnEnd === null) return undefined;
  if (hasAsked(facts)) {
    return {
      category: "interactive",
      warning:
        "interactive-hang: the agent seems to have asked for input; put all it needs into the prompt (heuristic)",
    };
  }
  if (mayHaveTasks && hasLeftWork(facts)) {
    return {
      category: "background-task",
      warning: "background-task: work in the background was not waited for; the output may be incomplete (heuristic)",
    };
  }
  return undefined;
}

/** The judgement of a run. */
export interface RunVerdict {
  readonly error: string | null;
  readonly category: ErrorCategory | null;
  readonly status: number | null;
  /** Whether the model was out of reach, failed or was overloaded. */
  readonly unavailable: boolean;
  /** Warning about a doubtful end of the run; null without a doubt. */
  readonly warning: string | null;
  /** Whether the result's `warnings` also hold the filtered stderr. */
  readonly tellsStderr: boolean;
}

export interface Judging {
  readonly rules: StreamRules;
  /** The agent's stderr after `rules.filterStderr`: the part that people may see. */
  readonly stderr: string;
  readonly hangHeuristic: boolean;
  readonly mayHaveTasks: boolean;
  /** Whether the run has no output. */
  readonly isMute: boolean;
}

const LOST = "the agent's answer is lost: a line of its stream was too long to be read";
const NO_ANSWER = "the agent ended without a result message and without output";

const NO_DETAIL = "API error (no detail)";

/** The failure that the stream reports: a failure since the end of the last turn, else the failure of the last turn. */
export const runFailureOf = ({ failure, turnEnd }: RunFacts): RunFailure | null => failure ?? turnEnd?.failure ?? null;

const verdict = (error: string | null, category: ErrorCategory | null): RunVerdict => ({
  error,
  category,
  status: null,
  unavailable: false,
  warning: null,
  tellsStderr: true,
});

function judgeFailure({ error, category, status, unavailable }: RunFailure, rules: StreamRules): RunVerdict {
  const text = cutText(error === null || error === "" ? NO_DETAIL : error, LIMITS.runErrorChars, rules.cutMark);
  const judged = verdict(text, category ?? categoryOfText(text, rules.failureWords));
  const isUnavailable = unavailable ?? saysUnavailable(text, status, rules.failureWords);
  return { ...judged, status, unavailable: judged.category === "api" && isUnavailable };
}

/**
 * Judges a run, strictly in this order: an end that was forced, a failure the agent reports, a signal, a doubt, and what a
 * failing process wrote to stderr.
 */
export function judge(facts: RunFacts, exit: ExitFacts, judging: Judging): RunVerdict {
  const { rules, stderr, hangHeuristic, mayHaveTasks, isMute } = judging;
  if (exit.forced !== null) return verdict(exit.forced.error, exit.forced.category);
  const failure = runFailureOf(facts);
  if (failure !== null) return judgeFailure(failure, rules);
  if (exit.signal !== null) return verdict(`ended by ${exit.signal}`, "subprocess");
  const doubt = rules.hangHeuristic && hangHeuristic ? doubtOf(facts, mayHaveTasks) : undefined;
  if (doubt !== undefined) return { ...verdict(null, doubt.category), warning: doubt.warning };
  const cause = exit.exitCode === 0 ? "" : rules.causeIn(stderr);
  const error = cause.trim() === "" ? null : cutText(cause, LIMITS.runErrorChars, rules.cutMark);
  const isBroken = facts.isTurnOpen && facts.turnsStarted > 0;
  if (error === null && isBroken && rules.brokenOff !== null) return verdict(rules.brokenOff, "subprocess");
  if (error === null && isMute && facts.lostLines > 0) return verdict(LOST, "subprocess");
  if (error === null && isMute && isBroken) return verdict(NO_ANSWER, "subprocess");
  // When the error is only a part of stderr, the warnings hold the whole stderr.
  return { ...verdict(error, null), tellsStderr: error !== null && error !== stderr };
}
