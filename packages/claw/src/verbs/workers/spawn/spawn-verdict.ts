import type { ErrorCode, VerbInput, VerbOutput } from "claw-contract";
import { ClawError, shellQuote } from "claw-contract";

type Output = VerbOutput<"spawn">;

export interface SpawnVerdict {
  readonly wait: VerbInput<"spawn">["wait"];
  /** Whether a budget limit stopped the worker. */
  readonly overBudget: boolean;
}

/** The checks of a worker that failed, in a line; null when none did. */
export function failedChecks({ name, completion, checks }: Output): string | null {
  if (completion !== "failed_checks") return null;
  const failed = checks.filter(({ passed }) => !passed);
  const texts = failed.map(
    ({ command, exit_code: code }) => `${command} (${code === null ? "no exit" : `exit ${code}`})`,
  );
  return `the checks of ${name} failed: ${texts.join(", ")}`;
}

/** A hint where to look after a failure; empty when the hint of the error catalogue is enough. */
function hintOf({ name, worktree, checks }: Output): { hint?: string } {
  const worker = shellQuote(name);
  const printed = checks.find(({ passed }) => !passed)?.output_path ?? null;
  if (printed !== null) {
    return { hint: `See what the check printed: ${printed}; send it back: claw rework ${worker} REASON` };
  }
  if (worktree === null) return {};
  // The daemon removes a worktree without changes, so the hint cannot promise that the worktree exists.
  return { hint: `See why: claw logs ${worker}; what it left in its worktree: claw ps` };
}

/** Why a worker that was waited for did not end well: a limit stopped it, it was aborted, or it failed. */
function failureCode(output: Output, { wait, overBudget }: SpawnVerdict): ErrorCode | null {
  const { state, result } = output;
  if (overBudget && result !== "ok") return "BUDGET_EXCEEDED";
  if (state === "aborted") return "WORKER_ABORTED";
  if (wait === "verified" && failedChecks(output) !== null) return "WORKER_FAILED";
  return state === "failed" || state === "gone" ? "WORKER_FAILED" : null;
}

/**
 * The answer about a worker that was waited for. Throws when the worker failed, was aborted or was stopped by a limit, and
 * with `--wait verified` when its checks failed.
 */
export function requireFine(output: Output, verdict: SpawnVerdict): Output {
  const code = failureCode(output, verdict);
  if (code === null) return output;
  const why = failedChecks(output) ?? output.summary ?? "the worker's process ended before its work was done";
  throw new ClawError(code, why, {
    operation: "spawn",
    target: output.peer_id,
    partial: output,
    details: { peer_id: output.peer_id },
    ...hintOf(output),
  });
}

/** Refuses `--wait verified` for a worker without checks. Throws INVALID_FLAG_VALUE. */
export function requireChecks({ wait, check = [] }: Pick<VerbInput<"spawn">, "wait" | "check">): void {
  if (wait !== "verified" || check.length > 0) return;
  throw new ClawError("INVALID_FLAG_VALUE", "--wait verified needs checks, and none is declared", {
    operation: "parse_arguments",
    target: "--wait",
    hint: "Name a command that shows whether the work is done: --check 'npm test'.",
  });
}
