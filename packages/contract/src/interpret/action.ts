import type { ExitName } from "../errors/exits.ts";

/** Why the caller must hand over to a person or an orchestrator. */
export type EscalationReason =
  | "cancelled"
  | "malformed"
  | "not-retryable"
  | "retries-exhausted"
  | "retry-too-far"
  | "redirect-malformed"
  | "redirect-loop"
  | "redirect-limit"
  | "truncated-without-cursor"
  | "cursor-repeats";

/** Why an answer is unusable. */
export type MalformedProblem =
  | "stdout-empty"
  | "stdout-too-large"
  | "stdout-not-json"
  | "stdout-several-documents"
  | "stdout-not-an-object"
  | "error-absent"
  | "error-malformed"
  | "error-null-on-failure"
  | "data-and-error-null";

/** A departure from the contract; the answer can still be understood. */
export type ResponseAnomaly =
  | "exit-unknown"
  | "ok-absent"
  | "ok-conflicts-with-exit"
  | "data-absent"
  | "error-on-success"
  | "code-absent"
  | "warnings-absent"
  | "warnings-malformed"
  | "meta-absent"
  | "not-modified-with-data"
  | "retryable-malformed"
  | "retry-after-malformed"
  | "redirect-ignored"
  | "redirect-permanent-absent";

/** The exit by which an answer is judged: a row of the table, or the end of a process that was told to stop. */
export type JudgedExit = ExitName | "CANCELLED";

export interface Escalation {
  readonly kind: "escalate";
  readonly reason: EscalationReason;
  /** Set exactly when `reason` is `malformed`. */
  readonly problem?: MalformedProblem;
  readonly exit: JudgedExit;
  readonly code?: string;
  /** The message in the answer, for people only. */
  readonly message?: string;
  readonly suggestion?: string;
  /** The wait the answer asked for, when longer than a retry may wait. */
  readonly retryAfterMs?: number;
}

/** The caller's next action, with the data for the action. */
export type ResponseAction =
  /** `cursor` is set when an answer that is not truncated still offers a further page. */
  | { readonly kind: "accept"; readonly data: unknown; readonly cursor?: string }
  | { readonly kind: "use-cache" }
  /** `data` is one page. The caller must not draw conclusions before the last page is read. */
  | { readonly kind: "next-page"; readonly cursor: string; readonly data: unknown }
  /** `attempt` counts from 1. At `ARG_ERROR` the caller corrects the call first; `suggestion` may say how. */
  | {
      readonly kind: "retry";
      readonly delayMs: number;
      readonly code: string;
      readonly attempt: number;
      readonly suggestion?: string;
    }
  | { readonly kind: "refresh-credentials"; readonly code: string }
  | { readonly kind: "acquire-credentials"; readonly code: string; readonly refreshTried: boolean }
  /** The caller runs `command` unchanged. A permanent redirect is already in the returned history. */
  | { readonly kind: "redirect"; readonly command: string; readonly permanent: boolean; readonly reason?: string }
  | Escalation;
