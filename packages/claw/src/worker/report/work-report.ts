import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import type { JobWorktree, JsonObject, RunResult } from "claw-contract";
import { LIMITS, objectOf } from "claw-contract";
import type { RunItem, RunOutcome } from "../../harness/index.ts";
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

/** The last line of a text that has a letter or a digit: not the end of a block of code, and not a ruler. */
export function lastTellingLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return (lines.findLast((line) => /[\p{L}\p{N}]/u.test(line)) ?? "").slice(0, SUMMARY_CHARS);
}

/** The last line of the agent's output that says something. */
export const workSummaryOf = (result: RunResult | null, otherwise: string): string =>
  lastTellingLine(result?.output ?? "") || otherwise.slice(0, SUMMARY_CHARS);

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

type Update = RunItem["updates"][number];

/** Tools that write the file named in the input. */
const WRITERS: ReadonlySet<string> = new Set([
  "Write",
  "Edit",
  "MultiEdit",
  "NotebookEdit",
  "write_file",
  "edit_file",
  "apply_patch",
  "file_change",
]);

/** Paths named in a tool call. Some agents change a single file in a call, others several. */
function pathsIn(input: unknown): string[] {
  const { file_path, notebook_path, path, changes } = objectOf(input);
  const listed = Array.isArray(changes) ? changes.map((change) => objectOf(change)["path"]) : [];
  return [file_path, notebook_path, path, ...listed].filter(
    (each) => typeof each === "string" && each !== "",
  ) as string[];
}

/** Files the agent wrote, by its stream. Failed calls do not count. */
export interface TouchedFiles {
  take(update: Update): void;
  /** Absolute paths, in the order of their first write. */
  paths(): readonly string[];
}

export function createTouchedFiles(cwd: string): TouchedFiles {
  const asked = new Map<string, readonly string[]>();
  const written = new Set<string>();
  return {
    take: (update) => {
      if (update.kind === "tool-call" && WRITERS.has(update.name)) asked.set(update.id, pathsIn(update.input));
      if (update.kind !== "tool-result") return;
      const paths = update.failed ? [] : (asked.get(update.id) ?? []);
      asked.delete(update.id);
      for (const path of paths) if (written.size < LIMITS.workerArtifacts) written.add(resolve(cwd, path));
    },
    paths: () => [...written],
  };
}
