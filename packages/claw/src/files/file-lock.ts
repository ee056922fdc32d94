import { constants } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import type { ProcessIdentity } from "claw-contract";
import { identifySelf, isRunning } from "../process/index.ts";
import { errnoOf, withFileErrors, unlessRefused } from "./file-error.ts";
import type { FileSystem } from "./file-system.ts";
import { PRIVATE_FILE, PRIVATE_FOLDER, randomSuffix } from "./write-file.ts";

/** The process that holds a lock. */
export interface LockOwner extends ProcessIdentity {
  readonly since_ms: number;
}

export type LockState =
  | { readonly kind: "free" }
  /** The owner is undefined when the lock's path exists but holds no lock. */
  | { readonly kind: "held"; readonly owner: LockOwner | undefined };

export type LockAttempt =
  | { readonly kind: "acquired"; readonly lock: FileLock }
  /** Another process kept the lock the whole time. */
  | { readonly kind: "held"; readonly owner: LockOwner | undefined };

export interface FileLock {
  /** Never fails; further calls have no effect. */
  readonly release: () => void;
}

const NOTHING_THERE = new Set(["ENOENT", "ENOTEMPTY", "EEXIST"]);

/** The file name of a claim identifies the claiming process. A single call creates the claim, never half of it. */
function claimName({ pid, started, boot, host }: ProcessIdentity): string {
  return `${pid}.${started ?? ""}.${boot ?? ""}.${randomSuffix()}@${encodeURIComponent(host)}`;
}

function readClaim(name: string): ProcessIdentity | undefined {
  const [, pid, started, boot, host] = /^(\d+)\.(\d*)\.([0-9a-f]*)\.\w+@(.+)$/.exec(name) ?? [];
  if (pid === undefined || host === undefined) return undefined;
  return { pid: Number(pid), started: started || null, boot: boot || null, host: decodeURIComponent(host) };
}

/** Runs a removal; a file or folder that is already gone is no error. */
function unlessGone(run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!NOTHING_THERE.has(errnoOf(error) ?? "")) throw error;
  }
}

/**
 * Claims of other living processes. Claims of dead processes are removed: a claim's name is never reused, so no living
 * process can lose its claim this way.
 */
function otherClaims(fs: FileSystem, path: string, own?: string): { name: string; identity: ProcessIdentity }[] {
  return fs.readdirSync(path).flatMap((name) => {
    const identity = readClaim(name);
    if (identity === undefined || name === own) return [];
    if (isRunning(identity)) return [{ name, identity }];
    if (own !== undefined) unlessGone(() => fs.unlinkSync(join(path, name)));
    return [];
  });
}

/** Whether a living process holds the lock. Changes nothing and never fails. */
export function lockState(fs: FileSystem, path: string): LockState {
  try {
    const [claim] = otherClaims(fs, path);
    if (claim === undefined) return { kind: "free" };
    const since = fs.lstatSync(join(path, claim.name), { throwIfNoEntry: false })?.mtimeMs;
    return { kind: "held", owner: { ...claim.identity, since_ms: Math.round(since ?? Date.now()) } };
  } catch (error) {
    return errnoOf(error) === "ENOENT" ? { kind: "free" } : { kind: "held", owner: undefined };
  }
}

/** Removes a claim. A claim that cannot be removed stops counting once this process has ended. */
function withdraw(fs: FileSystem, path: string, name: string): void {
  const claim = (): void => fs.unlinkSync(join(path, name));
  for (const run of [claim, claim, () => fs.rmdirSync(path)]) {
    unlessRefused(() => unlessGone(run));
  }
}

function createClaim(fs: FileSystem, path: string, name: string): boolean {
  unlessGone(() => fs.mkdirSync(path, { mode: PRIVATE_FOLDER }));
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
    fs.closeSync(fs.openSync(join(path, name), flags, PRIVATE_FILE));
    return true;
  } catch (error) {
    // A holder that releases the lock also removes the folder.
    if (errnoOf(error) === "ENOENT" && fs.lstatSync(join(path, ".."), { throwIfNoEntry: false })) return false;
    throw error;
  }
}

/**
 * Claims first and looks for other claims second. Of two processes that claim at once, at least one sees the other and
 * steps back, so the lock never has two holders.
 */
function tryAcquire(fs: FileSystem, path: string): FileLock | undefined {
  const name = claimName(identifySelf());
  let held = false;
  try {
    if (!createClaim(fs, path, name)) return undefined;
    held = otherClaims(fs, path, name).length === 0;
    return held ? { release: () => withdraw(fs, path, name) } : undefined;
  } finally {
    if (!held) withdraw(fs, path, name);
  }
}

/** Random, so that two processes that stepped back from each other do not meet again at the same moment. */
export const nextTryMs = (random = Math.random()): number => LIMITS.lockPollMs * (0.5 + random);

/**
 * Takes a lock that one process at a time can hold: a folder with the owner's claim in it. Resolves when the lock is
 * held or `waitMs` have passed; throws the signal's reason when aborted. The claim of a dead process does not count.
 */
export async function acquireLock(
  fs: FileSystem,
  request: { readonly path: string; readonly waitMs: number },
  signal: AbortSignal,
): Promise<LockAttempt> {
  const { path } = request;
  const deadline = Date.now() + request.waitMs;
  for (;;) {
    const lock = withFileErrors("lock", path, () => tryAcquire(fs, path));
    if (lock !== undefined) return { kind: "acquired", lock };
    const state = lockState(fs, path);
    if (Date.now() >= deadline) return { kind: "held", owner: state.kind === "held" ? state.owner : undefined };
    await new Promise((resolve) => setTimeout(resolve, nextTryMs()));
    signal.throwIfAborted();
  }
}
