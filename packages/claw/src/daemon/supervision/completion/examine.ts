import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Redactor } from "claw-contract";
import { isSecretName, LIMITS } from "claw-contract";
import type { CheckResult } from "claw-contract/schemas";
import { endMarked, runGit } from "../../../process/index.ts";
import { wholeCommands, workerRedactor } from "../../workers/worker-job.ts";
import { readJobOf } from "../../workers/worker-process.ts";
import type { ArtifactHash } from "./hash-artifact.ts";
import { hashArtifact } from "./hash-artifact.ts";
import type { Report } from "./completion-memory.ts";
import { runWorkCheck } from "./run-check.ts";

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
async function findDoubts(report: Report, hashes: readonly ArtifactHash[], signal: AbortSignal): Promise<string[]> {
  const problems = hashes.flatMap((hash) => (hash.sha256 === null ? [hash.problem] : []));
  return [
    ...((await hasNoWork(report, hashes, signal)) ? ["no_work"] : []),
    ...(problems.includes("missing") ? ["missing_artifact"] : []),
    ...(problems.some((problem) => problem !== "missing") ? ["unreadable_artifact"] : []),
  ];
}

export type Examined = Record<"artifacts" | "doubts", unknown[]>;

export async function hashArtifacts({ artifacts, place }: Report, signal: AbortSignal): Promise<ArtifactHash[]> {
  const hashes: ArtifactHash[] = [];
  for (const { path } of artifacts) hashes.push(await hashArtifact(path, place.cwd, signal));
  return hashes;
}

/** Examines the artifacts a worker handed over. Rejects only when aborted. */
export async function examine(report: Report, signal: AbortSignal): Promise<Examined> {
  const hashes = await hashArtifacts(report, signal);
  const artifacts = report.artifacts.map((artifact, index) => ({ ...artifact, ...hashes[index] }));
  return { artifacts, doubts: await findDoubts(report, hashes, signal) };
}

/** Whether an artifact has changed since the report was examined. */
export async function hasChangedSince(report: Report, signal: AbortSignal): Promise<boolean> {
  const hashes = await hashArtifacts(report, signal);
  return hashes.some(({ sha256 }, index) => sha256 !== (report.completed?.artifacts[index]?.sha256 ?? null));
}

export interface CheckDeps {
  /** The environment of the daemon. Variables with secret names are not passed to checks. */
  readonly env: NodeJS.ProcessEnv;
  readonly redactor: Redactor;
  readonly timeoutMs?: number;
}

/** Environment variable by which the processes of a check are found again. */
const MARK = "CLAW_CHECK";

function environmentFor({ env }: CheckDeps, { peerId, place }: Report, mark: string): NodeJS.ProcessEnv {
  const open = Object.entries(env).filter(([name]) => !isSecretName(name));
  const port = place.worktree?.port;
  return {
    ...Object.fromEntries(open),
    ...(typeof port === "number" ? { CLAW_PORT: String(port), PORT: String(port) } : {}),
    CLAW_WORKER: peerId,
    [MARK]: mark,
  };
}

/** Runs the checks of a report in order. Ends processes of an earlier attempt first. */
export async function runChecks(report: Report, deps: CheckDeps, signal: AbortSignal): Promise<CheckResult[]> {
  const { place, peerId, sequence } = report;
  const { cwd, folder } = place;
  const job = folder === null ? undefined : readJobOf(folder);
  const redactor = job === undefined ? deps.redactor : workerRedactor(deps.env, job);
  const checks = wholeCommands(place.checks, job?.checks, redactor);
  const mark = createHash("sha256")
    .update(`${folder ?? ""} ${peerId} ${sequence}`)
    .digest("hex");
  const results: CheckResult[] = [];
  await endMarked(`${MARK}=${mark}`, LIMITS.runFirmMs);
  try {
    for (const [index, command] of checks.entries()) {
      const path = join(folder ?? cwd ?? "/nonexistent", "checks", `${index + 1}.log`);
      const env = environmentFor(deps, report, mark);
      const { timeoutMs = LIMITS.checkMs } = deps;
      const where = { cwd: cwd ?? "/nonexistent", env, path, umask: job?.umask };
      results.push(await runWorkCheck({ command, ...where, redactor, timeoutMs }, signal));
    }
    return results;
  } finally {
    await endMarked(`${MARK}=${mark}`, LIMITS.runFirmMs);
  }
}
