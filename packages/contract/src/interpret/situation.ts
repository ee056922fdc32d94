import type { ExitName } from "../errors/exits.ts";
import type { EscalationReason, JudgedExit, MalformedProblem, ResponseAction, ResponseAnomaly } from "./action.ts";
import type { ResponseHistory } from "./history.ts";
import type { EnvelopeReading } from "./read-envelope.ts";
import { forgetTrail } from "./remember.ts";

/** The current answer and the history of earlier answers. */
export interface ResponseSituation {
  readonly command: string;
  readonly exit: JudgedExit;
  readonly reading: EnvelopeReading;
  readonly history: ResponseHistory;
}

/** A failed answer that has an error object. */
export interface ResponseFailure extends ResponseSituation {
  readonly exit: ExitName;
  readonly error: Record<string, unknown>;
  /** `error.code`, or the name of the exit when the answer has no code. Retries are counted by this code. */
  readonly code: string;
}

export interface ResponseDecision {
  readonly action: ResponseAction;
  readonly history: ResponseHistory;
  readonly anomalies?: readonly ResponseAnomaly[];
}

/**
 * Escalates the answer, with the code and texts of the answer's error. The history forgets the redirect trail of the
 * command.
 */
export function escalate(
  situation: ResponseSituation,
  reason: EscalationReason,
  extra: { readonly problem?: MalformedProblem; readonly retryAfterMs?: number } = {},
): ResponseDecision {
  const { command, exit, reading, history } = situation;
  const action = { kind: "escalate", reason, exit, ...textsOf(reading.error), ...extra } as const;
  return { action, history: forgetTrail(history, command) };
}

/** Escalates an answer that cannot be acted on; such an answer is never retried blindly. */
export function malformed(situation: ResponseSituation, problem: MalformedProblem): ResponseDecision {
  return escalate(situation, "malformed", { problem });
}

function textsOf(error: EnvelopeReading["error"]): { code?: string; message?: string; suggestion?: string } {
  if (error === null || error === undefined) return {};
  const { code, message, suggestion } = error;
  return {
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof message === "string" ? { message } : {}),
    ...(typeof suggestion === "string" ? { suggestion } : {}),
  };
}
