import type { ErrorCode, VerbInput, VerbOutput } from "claw-contract";
import { ClawError, shellQuote } from "claw-contract";
import type { Paint } from "../../runtime/paint.ts";
import { pairs } from "../../text/text-layout.ts";
import { changesText } from "../work/changes-text.ts";

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

type Row = readonly [label: string, value: string];

/**
 * Rows about the worktree of a worker: the path and, after the end, the changes and the verbs to look at and merge
 * them.
 */
function worktreeRows({ name, worktree, changes }: Output, paint: Paint): Row[] {
  if (worktree === null) return [];
  const place: Row = ["worktree", `${worktree.path} on ${worktree.branch}`];
  if (changes === null) return [place];
  const changed = changesText(changes, worktree.branch);
  // The daemon removes a worktree without changes.
  if (changed === null) return [["changed", "nothing"]];
  const worker = shellQuote(name);
  const merge = `claw merge ${worker}${changes.uncommitted === 0 ? "" : " --commit"}`;
  return [place, ["changed", changed], ["look, take", `${paint.cyan(`claw diff ${worker}`)}, ${paint.cyan(merge)}`]];
}

function checkRows(output: Output, paint: Paint): Row[] {
  const { checks } = output;
  if (checks.length === 0) return [];
  const isGood = failedChecks(output) === null;
  const text = checks.map(({ command, passed }) => `${command}: ${passed ? "passed" : "failed"}`).join(", ");
  return [["checks", isGood ? paint.green(text) : paint.red(text)]];
}

const isOver = ({ state }: Output): boolean => state !== "starting" && state !== "working";

/** A worker as `spawn` shows it to a person. */
export function spawnText(worker: Output, paint: Paint): string {
  if (worker.effect === "would_create") return `Would start a worker that runs ${worker.harness}.`;
  const { name, peer_id: id, summary } = worker;
  return pairs(
    [
      ["worker", `${paint.bold(name)} ${paint.dim(`(${id}, process ${worker.pid})`)}`],
      ...(worker.machine === undefined ? [] : [["machine", worker.machine] as const]),
      ["agent", worker.harness],
      ["state", worker.state === "finished" ? paint.green(worker.state) : worker.state],
      ...(summary === null ? [] : [["summary", summary] as const]),
      ...checkRows(worker, paint),
      ...worktreeRows(worker, paint),
      ...(worker.terminal_id === null ? [] : [["join in", paint.cyan(`claw attach ${name}`)] as const]),
      ["see all", paint.cyan("claw ps")],
      ["its log", paint.cyan(`claw logs ${isOver(worker) ? "" : "--follow "}${name}`)],
    ],
    paint,
  );
}
