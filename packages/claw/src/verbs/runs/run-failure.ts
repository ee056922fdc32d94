import type { ErrorCode, RunResult } from "claw-contract";
import { ClawError } from "claw-contract";
import type { RunOutcome } from "../../harness/index.ts";
import { hintOf as ownHint, limitReached } from "../../harness/index.ts";

const SILENT = "the agent ended without an answer";

function codeOf({ result, ended }: RunOutcome): ErrorCode | null {
  switch (result.error_category) {
    case "rate_limit":
      return "RATE_LIMIT_EXCEEDED";
    case "auth":
      return "TOKEN_INVALID";
    case "timeout":
      return ended === "idle-deadline" ? "IDLE_TIMEOUT" : "TIMEOUT";
    case "api":
      // A run that kept to its limits has not failed.
      if (limitReached(result.terminal_reason) !== undefined) return null;
      return result.api_unavailable ? "UPSTREAM_UNAVAILABLE" : "UPSTREAM_REJECTED";
    case "interactive":
    case "background-task":
      return null;
    case "subprocess":
    case null:
      return result.error !== null || !result.succeeded ? "HARNESS_FAILED" : null;
  }
}

function messageOf({ error, exit_code, signal }: RunResult, ended: RunOutcome["ended"]): string {
  if (ended === "idle-deadline") return "the agent was silent for too long";
  const [line = ""] = (error ?? "").trim().split("\n");
  if (line !== "") return line;
  if (signal !== null) return `the agent was ended by ${signal}`;
  return exit_code === 0 ? SILENT : `the agent ended with exit ${exit_code}`;
}

function hintOf(code: ErrorCode, message: string, result: RunResult): { hint?: string } {
  const own = ownHint(result);
  if (own !== undefined) return { hint: own };
  if (code === "RATE_LIMIT_EXCEEDED") return { hint: "Wait until the provider's limit is over, then call again." };
  return message === SILENT ? { hint: "See what it did: add --output-format stream-json to the call." } : {};
}

/** The error a run has to be answered with, carrying what it came to all the same; undefined when it has not failed. */
export function runFailure(outcome: RunOutcome, partial: ClawError["options"]["partial"]): ClawError | undefined {
  const code = codeOf(outcome);
  if (code === null) return undefined;
  const { result } = outcome;
  const message = messageOf(result, outcome.ended);
  return new ClawError(code, message, {
    operation: "run_agent",
    target: result.harness,
    ...(partial === undefined ? {} : { partial }),
    ...hintOf(code, message, result),
    details: {
      error_category: result.error_category,
      ...(result.api_error_status === null ? {} : { api_error_status: result.api_error_status }),
    },
  });
}
