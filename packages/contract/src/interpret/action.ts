import type { ExitName } from "../exits.ts";

/** Why nothing more can be done without a person or an orchestrator. */
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

/** What makes an answer unusable. */
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

/** A departure from the contract that did not keep the answer from being understood. */
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

/** The exit an answer is judged by: a row of the table, or the end of a process that was told to stop. */
export type JudgedExit = ExitName | "CANCELLED";

export interface Escalation {
  readonly kind: "escalate";
  readonly reason: EscalationReason;
  /** Set exactly when `reason` is `malformed`. */
  readonly problem?: MalformedProblem;
  readonly exit: JudgedExit;
  readonly code?: string;
  /** The answer's own message, for people only. */
  readonly message?: string;
  readonly suggestion?: string;
  /** How long the answer asked to wait, when that is longer than a retry may wait. */
  readonly retryAfterMs?: number;
}

/** What the caller does next, with what it needs for that. */
export type ResponseAction =
  /** `cursor` is there when an untruncated answer nevertheless offers a further page. */
  | { readonly kind: "accept"; readonly data: unknown; readonly cursor?: string }
  | { readonly kind: "use-cache" }
  /** `data` is one page: nothing may be concluded from it until the last one is there. */
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
  /** `command` is called as it stands. A permanent one is already in the returned history. */
  | { readonly kind: "redirect"; readonly command: string; readonly permanent: boolean; readonly reason?: string }
  | Escalation;
