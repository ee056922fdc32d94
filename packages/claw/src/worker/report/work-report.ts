import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import type { JsonObject, RunResult, JobWorktree } from "claw-contract";
import { LIMITS } from "claw-contract";
import type { RunOutcome } from "../../harness/index.ts";
import type { LifeParts } from "../worker-life.ts";
import type { SpendingVoice } from "../spending/spending-voice.ts";
import type { StreamReporter } from "../run/stream-reporter.ts";
import { treeChanges } from "../../process/index.ts";

interface WorktreeChange {
  /** Changes against the starting commit, uncommitted changes included; null when git fails. */
  readonly diff: { readonly files: number; readonly insertions: number; readonly deletions: number } | null;
  /** Files whose changes are not committed. */
  readonly uncommitted: number;
  /** Newest first. */
  readonly commits: readonly { readonly sha: string; readonly subject: string }[];
}

const NO_CHANGE: WorktreeChange = { diff: null, uncommitted: 0, commits: [] };

/** The changes in a worktree since the worker began. */
async function worktreeChange({ path, base }: JobWorktree): Promise<WorktreeChange> {
  const changes = await treeChanges({ path, base });
  if (changes === null) return NO_CHANGE;
  const { files, uncommitted, commits } = changes;
  const sum = (field: "insertions" | "deletions"): number =>
    files.reduce((total, file) => total + (file[field] ?? 0), 0);
  const diff = { files: files.length, insertions: sum("insertions"), deletions: sum("deletions") };
  return { diff, uncommitted: uncommitted.length, commits };
}

const SUMMARY_CHARS = 500;

/** The last line of the agent's output. */
export function workSummaryOf(result: RunResult | null, otherwise: string): string {
  const lines = (result?.output ?? "").split("\n").map((line) => line.trim());
  const last = lines.findLast((line) => line !== "") ?? "";
  return (last === "" ? otherwise : last).slice(0, SUMMARY_CHARS);
}

/** A file that the agent wrote inside the worker's folder. Files elsewhere are not reported as artifacts. */
function artifactIn(root: string, path: string): { path: string; size_bytes: number }[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true) return [];
  const way = relative(realpathSync(root), realpathSync(path));
  return way.startsWith("../") || isAbsolute(way) ? [] : [{ path, size_bytes: stat.size }];
}

/** The fields of a worker's report besides the result. Reads files and asks git. */
export async function workReport(
  { job }: LifeParts,
  reporter: Pick<StreamReporter, "files" | "toolCalls"> & { readonly spending: Pick<SpendingVoice, "total"> },
  outcome: RunOutcome | null,
): Promise<JsonObject> {
  const result = outcome?.result ?? null;
  const { tokensIn, tokensOut, costUsd, isEstimate, unknownCalls, model } = reporter.spending.total();
  const output = result?.output ?? "";
  return {
    artifacts: reporter.files.paths().flatMap((path) => artifactIn(job.worktree?.path ?? job.cwd, path)),
    total_tokens: tokensIn + tokensOut,
    total_cost_usd: costUsd,
    ...(isEstimate ? { cost_estimated: true } : {}),
    ...(unknownCalls === 0 ? {} : { unknown_calls: unknownCalls }),
    output: output.slice(0, LIMITS.workerOutputChars),
    ...(output.length > LIMITS.workerOutputChars ? { output_cut: true } : {}),
    session_id: result?.session_id ?? null,
    num_turns: result?.num_turns ?? null,
    tool_calls: reporter.toolCalls(),
    model: result?.model ?? model ?? job.model,
    warnings: (result?.warnings ?? []).slice(0, 20).map((text) => text.slice(0, SUMMARY_CHARS)),
    ...(job.worktree === null ? {} : await worktreeChange(job.worktree)),
  };
}
