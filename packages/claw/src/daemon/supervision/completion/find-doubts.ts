import { LIMITS } from "claw-contract";
import { runGit } from "../../../process/index.ts";
import type { ArtifactHash } from "./hash-artifact.ts";
import type { Report } from "./report.ts";

/** Whether the worktree differs from its base commit; null when git does not tell. */
async function hasChanged({ place }: Report, signal: AbortSignal): Promise<boolean | null> {
  const { worktree } = place;
  if (worktree === null) return null;
  const rest = { cwd: worktree.path, timeoutMs: LIMITS.gitTimeoutMs, maxOutputBytes: LIMITS.commandOutputBytes };
  const head = await runGit({ args: ["rev-parse", "HEAD"], ...rest }, signal);
  if (head.kind !== "exited" || head.code !== 0) return null;
  if (head.stdout.trim() !== worktree.base) return true;
  const status = await runGit({ args: ["status", "--porcelain"], ...rest }, signal);
  return status.kind === "exited" && status.code === 0 ? status.stdout !== "" : null;
}

/** Whether a worker that reports success shows no work. False when neither git nor the report tells. */
async function hasNoWork(report: Report, hashes: readonly ArtifactHash[], signal: AbortSignal): Promise<boolean> {
  const { result, toolCalls, place, claimsChanges } = report;
  if (result !== "ok" || hashes.some(({ sha256 }) => sha256 !== null)) return false;
  if ((toolCalls ?? 0) > 0 || place.sawTool) return false;
  const changed = await hasChanged(report, signal);
  if (changed !== null) return !changed;
  return toolCalls === 0 && !claimsChanges;
}

/** The doubts about a report. */
export async function findDoubts(
  report: Report,
  hashes: readonly ArtifactHash[],
  signal: AbortSignal,
): Promise<string[]> {
  const problems = hashes.flatMap((hash) => (hash.sha256 === null ? [hash.problem] : []));
  return [
    ...((await hasNoWork(report, hashes, signal)) ? ["no_work"] : []),
    ...(problems.includes("missing") ? ["missing_artifact"] : []),
    ...(problems.some((problem) => problem !== "missing") ? ["unreadable_artifact"] : []),
  ];
}
