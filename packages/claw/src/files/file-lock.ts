import { constants, readFileSync } from "node:fs";
import { LIMITS } from "@claw/contract";
import type { ProcessIdentity } from "../process/index.ts";
import { identifySelf, isRunning } from "../process/index.ts";
import { errnoOf, withFileErrors } from "./file-error.ts";
import type { FileSystem } from "./file-system.ts";
import { PRIVATE_FILE, randomSuffix, writeAll } from "./write-file.ts";

/** The process that holds a lock, as it wrote itself down. */
export interface LockOwner extends ProcessIdentity {
  readonly token: string;
  readonly since_ms: number;
}

export type LockState = { readonly kind: "free" } | { readonly kind: "held"; readonly owner: LockOwner | undefined };

export type LockAttempt =
  | { readonly kind: "acquired"; readonly lock: FileLock }
  /** Somebody else kept it all the time; unknown when the lock file says nothing of its owner. */
  | { readonly kind: "held"; readonly owner: LockOwner | undefined };

export interface FileLock {
  /** Harmless when called again. */
  readonly release: () => void;
}

/** Creates a file with its whole content, or says that there is one already. */
function createWhole(fs: FileSystem, path: string, owner: LockOwner): boolean {
  const temporary = `${path}.${randomSuffix()}`;
  const fd = fs.openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, PRIVATE_FILE);
  try {
    try {
      writeAll(fs, fd, Buffer.from(JSON.stringify(owner)));
    } finally {
      fs.closeSync(fd);
    }
    fs.linkSync(temporary, path);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    fs.unlinkSync(temporary);
  }
}

function readOwner(path: string): LockOwner | "none" | "unknown" {
  try {
    const owner = JSON.parse(readFileSync(path, "utf8")) as Partial<LockOwner> | null;
    const { pid, host, token, started = null, since_ms = 0 } = owner ?? {};
    if (typeof pid !== "number" || typeof host !== "string" || typeof token !== "string") return "unknown";
    return { pid, host, token, started, since_ms };
  } catch (error) {
    return errnoOf(error) === "ENOENT" ? "none" : "unknown";
  }
}

const self = (token: string): LockOwner => ({ ...identifySelf(), token, since_ms: Date.now() });

/**
 * Removes the lock of a dead owner. Only whoever creates the breaker file named after that owner may remove it,
 * and a dead owner's lock can change in no other way, so a living owner's lock is never taken.
 */
function breakLock(fs: FileSystem, path: string, owner: LockOwner): void {
  const breaker = `${path}.break-${owner.token}`;
  if (!createWhole(fs, breaker, self(owner.token))) {
    const other = readOwner(breaker);
    if (typeof other === "object" && !isRunning(other)) breakLock(fs, breaker, other);
    return;
  }
  const current = readOwner(path);
  if (typeof current === "object" && current.token === owner.token) fs.unlinkSync(path);
  fs.unlinkSync(breaker);
}

/** Whether a running process holds the lock. */
export function lockState(path: string): LockState {
  const owner = readOwner(path);
  if (owner === "none") return { kind: "free" };
  if (owner === "unknown") return { kind: "held", owner: undefined };
  return isRunning(owner) ? { kind: "held", owner } : { kind: "free" };
}

function tryAcquire(fs: FileSystem, path: string, token: string): boolean {
  const owner = readOwner(path);
  if (typeof owner === "object" && !isRunning(owner)) breakLock(fs, path, owner);
  return lockState(path).kind === "free" && createWhole(fs, path, self(token));
}

/**
 * Takes a lock that one process at a time can have. Resolves when it is held or `waitMs` have passed; throws the
 * signal's reason when aborted. The lock of a process that died is taken over.
 */
export async function acquireLock(
  fs: FileSystem,
  request: { readonly path: string; readonly waitMs: number },
  signal: AbortSignal,
): Promise<LockAttempt> {
  const { path } = request;
  const token = `${process.pid}-${randomSuffix()}`;
  const deadline = Date.now() + request.waitMs;
  while (!withFileErrors("lock", path, () => tryAcquire(fs, path, token))) {
    const state = lockState(path);
    if (Date.now() >= deadline) return { kind: "held", owner: state.kind === "held" ? state.owner : undefined };
    await new Promise((resolve) => setTimeout(resolve, LIMITS.lockPollMs));
    signal.throwIfAborted();
  }
  return { kind: "acquired", lock: { release: () => releaseLock(fs, path, token) } };
}

function releaseLock(fs: FileSystem, path: string, token: string): void {
  const owner = readOwner(path);
  if (typeof owner === "object" && owner.token === token) fs.unlinkSync(path);
}
