import type { JudgedExit, ResponseAction, ResponseAnomaly } from "./action.ts";
import { decideFailure } from "./decide-failure.ts";
import { decideSuccess } from "./decide-success.ts";
import type { ResponseHistory } from "./history.ts";
import { readHistory } from "./history.ts";
import { readEnvelope } from "./read-envelope.ts";
import { rememberDeprecations } from "./remember.ts";
import type { ResponseDecision, ResponseSituation } from "./situation.ts";
import { escalate } from "./situation.ts";
import { exitName } from "../errors/exits.ts";

const SOFT_REDIRECT = /deprecat(?:ed|ion)|will be removed/i;

export interface ResponseInput {
  /** Null when the process ended without an exit code. */
  readonly exitCode: number | null;
  readonly stdout: string;
  /** The command as it was called: the key of the counters, and the old command of a redirect. */
  readonly command: string;
  /** The history from the previous interpretation; absent, or any content of a file, is accepted too. */
  readonly history?: unknown;
}

export interface Interpretation {
  readonly action: ResponseAction;
  /** The wait before a retry; absent with every other action. */
  readonly delayMs?: number;
  /** All warnings of the answer, to be logged and shown to the orchestrator. */
  readonly warnings: readonly string[];
  /** The warnings that announce the end of the called command. */
  readonly softRedirects: readonly string[];
  readonly anomalies: readonly ResponseAnomaly[];
  readonly exit: JudgedExit;
  readonly history: ResponseHistory;
}

/**
 * Decides the next action after one answer in the `response` envelope. The exit code decides; `ok` never overrules the
 * exit code. Pure: the history passed in is not changed. Never throws for any output; an answer that cannot be
 * understood is escalated. A caller that follows the actions ends: every chain of failures reaches `escalate` after a
 * bounded number of calls.
 */
export function interpretResponse(input: ResponseInput): Interpretation {
  const { exit, known } = judgeExit(input.exitCode);
  const reading = readEnvelope(input.stdout, exit === "SUCCESS");
  const softRedirects = reading.warnings.filter((warning) => SOFT_REDIRECT.test(warning));
  const history = rememberDeprecations(readHistory(input.history), input.command, softRedirects);
  const decision = decideResponse({ command: input.command, exit, reading, history });
  const { action } = decision;
  return {
    action,
    ...(action.kind === "retry" ? { delayMs: action.delayMs } : {}),
    warnings: reading.warnings,
    softRedirects,
    anomalies: [...(known ? [] : ["exit-unknown" as const]), ...reading.anomalies, ...(decision.anomalies ?? [])],
    exit,
    history: decision.history,
  };
}

function decideResponse(situation: ResponseSituation): ResponseDecision {
  const { exit } = situation;
  if (exit === "CANCELLED") return escalate(situation, "cancelled");
  return exit === "SUCCESS" ? decideSuccess(situation) : decideFailure(situation, exit);
}

/** Exits of a process stopped by SIGINT and SIGTERM. */
export const CANCELLED_EXITS: readonly number[] = [130, 143];

/** The exit an answer is judged by. A number the table does not know, or none at all, counts as GENERAL_ERROR. */
function judgeExit(exitCode: number | null): { readonly exit: JudgedExit; readonly known: boolean } {
  if (exitCode !== null && CANCELLED_EXITS.includes(exitCode)) return { exit: "CANCELLED", known: true };
  const exit = exitCode === null ? undefined : exitName(exitCode);
  return exit === undefined ? { exit: "GENERAL_ERROR", known: false } : { exit, known: true };
}
