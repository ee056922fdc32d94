import { lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Environment, SandboxKind } from "claw-contract";
import { isObject, SANDBOX_KINDS } from "claw-contract";
import {
  nodeFileSystem,
  openOwnFolder,
  readSmallFile,
  requireOwn,
  stateHome,
  writeFileAtomically,
} from "../../files/index.ts";
import { findProgram, processList } from "../../process/index.ts";

/** What a trial of the sandbox showed: the kind of sandbox that works, or the reason why none does. */
export interface SandboxTrial {
  readonly kind: SandboxKind | null;
  readonly reason: string | null;
}

/** Where a trial was made. A stored trial counts only for the same place. */
export interface TrialPlace {
  readonly workspace: string;
  readonly env: Environment;
}

interface StoredTrial extends SandboxTrial {
  readonly key: string;
  readonly triedAtMs: number;
}

/** Settings of the kernel can change without a trace, so that a stored trial counts for this long only. */
const FRESH_MS = 10 * 60_000;
/** The oldest trial is dropped for one more. */
const MOST_TRIALS = 32;
const MAX_BYTES = 256 * 1024;

const recordPath = (env: Environment): string => join(stateHome(env), "sandbox-trials.json");

/** The installed bubblewrap: a later version has another time, size or file number. */
function programId(): readonly unknown[] {
  const found = findProgram("bwrap", { cwd: "/" });
  const stats = found.kind === "found" ? statSync(found.path, { throwIfNoEntry: false }) : undefined;
  return stats === undefined ? [] : [stats.mtimeMs, stats.size, stats.ino];
}

const keyOf = ({ workspace, env }: TrialPlace): string =>
  JSON.stringify([processList.bootId(), process.getuid?.() ?? null, programId(), workspace, env["PATH"], env["HOME"]]);

const isTrial = (value: unknown): value is StoredTrial =>
  isObject(value) &&
  typeof value["key"] === "string" &&
  typeof value["triedAtMs"] === "number" &&
  (SANDBOX_KINDS.some((kind) => kind === value["kind"]) || value["kind"] === null) &&
  (typeof value["reason"] === "string" || value["reason"] === null);

/** The stored trials that still count. A record that is missing, foreign or damaged holds none. */
function readTrials(env: Environment, nowMs: number): readonly StoredTrial[] {
  const path = recordPath(env);
  try {
    requireOwn(path, lstatSync(path), "file");
    const file = readSmallFile(path, MAX_BYTES);
    const found: unknown = file.kind === "text" ? JSON.parse(file.text) : [];
    const trials = Array.isArray(found) ? found.filter(isTrial) : [];
    return trials.filter(({ triedAtMs }) => triedAtMs <= nowMs && nowMs - triedAtMs < FRESH_MS);
  } catch {
    return [];
  }
}

/**
 * What the last trial in this place showed, when it is some minutes old at most. Serves the row `claw status` of
 * `cold-start`. Only reports rest on it, and what a model is told: a command of the agent always tries the sandbox anew.
 */
export function findTrial(place: TrialPlace, nowMs: number): SandboxTrial | undefined {
  const key = keyOf(place);
  return readTrials(place.env, nowMs).find((trial) => trial.key === key);
}

/** Stores a trial for `findTrial`. Where it cannot be stored, the next report tries the sandbox again. */
export function storeTrial(place: TrialPlace, { kind, reason }: SandboxTrial, nowMs: number): void {
  const key = keyOf(place);
  const others = readTrials(place.env, nowMs).filter((trial) => trial.key !== key);
  const trials = [{ key, triedAtMs: nowMs, kind, reason }, ...others].slice(0, MOST_TRIALS);
  try {
    const home = stateHome(place.env);
    openOwnFolder(home);
    requireOwn(home, lstatSync(home), "folder");
    writeFileAtomically(nodeFileSystem, recordPath(place.env), `${JSON.stringify(trials)}\n`);
  } catch {
    return;
  }
}
