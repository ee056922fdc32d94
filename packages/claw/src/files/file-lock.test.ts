import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LIMITS } from "claw-contract";
import { buildSync } from "esbuild";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ProcessIdentity } from "claw-contract";
import { identifySelf } from "../process/index.ts";
import { acquireLock, lockState, nextTryMs } from "./file-lock.ts";
import type { FileLock } from "./file-lock.ts";
import { nodeFileSystem } from "./file-system.ts";
import type { Fault } from "./testing/faulty-file-system.ts";
import { createFaultyFileSystem } from "./testing/faulty-file-system.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

const fs = nodeFileSystem;
const patient = new AbortController().signal;

const folderWithLock = (): { folder: string; path: string } => {
  const folder = temporaryFolder(onTestFinished);
  return { folder, path: join(folder, "s.lock") };
};

async function acquire(path: string, waitMs = 0): Promise<FileLock> {
  const attempt = await acquireLock(fs, { path, waitMs }, patient);
  if (attempt.kind === "held") throw new Error(`held by ${attempt.owner?.pid}`);
  return attempt.lock;
}

/** A process that has ended. */
const deadProcess = (): ProcessIdentity => ({ ...identifySelf(), pid: spawnSync("true").pid, started: "1" });

/** Makes a claim as that process would have. */
function putClaim(path: string, { pid, started, boot, host }: ProcessIdentity): void {
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, `${pid}.${started ?? ""}.${boot ?? ""}.test@${encodeURIComponent(host)}`), "");
}

const owner = { ...identifySelf(), since_ms: expect.any(Number) as number };

describe("a lock", () => {
  test("names its holder while it is held and leaves nothing when it is released", async () => {
    const { folder, path } = folderWithLock();
    const lock = await acquire(path);
    expect(lockState(fs, path)).toEqual({ kind: "held", owner });
    expect(readdirSync(folder)).toEqual(["s.lock"]);
    lock.release();
    lock.release();
    expect([lockState(fs, path), readdirSync(folder)]).toEqual([{ kind: "free" }, []]);
  });

  test("says since when it is held, and is private", async () => {
    const { path } = folderWithLock();
    const umask = process.umask(0);
    onTestFinished(() => void process.umask(umask));
    await acquire(path);
    const claim = join(path, readdirSync(path)[0] ?? "");
    expect([path, claim].map((at) => statSync(at).mode & 0o777)).toEqual([0o700, 0o600]);
    utimesSync(claim, 1_700_000_000, 1_700_000_000.4);
    expect(lockState(fs, path)).toEqual({ kind: "held", owner: { ...owner, since_ms: 1_700_000_000_400 } });
  });

  test("is taken by one claim, which is withdrawn twice because a disk may refuse once", async () => {
    const { path } = folderWithLock();
    const { fs: watched, calls } = createFaultyFileSystem();
    const attempt = await acquireLock(watched, { path, waitMs: 0 }, patient);
    if (attempt.kind === "acquired") attempt.lock.release();
    const names = calls.map((call) => call.replace(path, "LOCK").replace(/\/\d+\..*$/, "/CLAIM"));
    expect(names).toEqual([
      "mkdirSync LOCK",
      "openSync LOCK/CLAIM",
      "closeSync",
      "readdirSync LOCK",
      "unlinkSync LOCK/CLAIM",
      "unlinkSync LOCK/CLAIM",
      "rmdirSync LOCK",
    ]);
  });

  test("hides no mistake that is none of the disk's", async () => {
    const { path } = folderWithLock();
    const mistake = new TypeError("no path");
    const unlinkSync = (): never => {
      throw mistake;
    };
    const attempt = await acquireLock({ ...fs, unlinkSync }, { path, waitMs: 0 }, patient);
    expect(() => attempt.kind === "acquired" && attempt.lock.release()).toThrow(mistake);
  });

  test("is refused to a second taker, who learns whose it is and leaves no trace", async () => {
    const { path } = folderWithLock();
    await acquire(path);
    const before = readdirSync(path);
    expect(await acquireLock(fs, { path, waitMs: 0 }, patient)).toEqual({ kind: "held", owner });
    expect(readdirSync(path)).toEqual(before);
  });

  test("comes to a waiting taker as soon as it is released", async () => {
    const { path } = folderWithLock();
    const first = await acquire(path);
    const second = acquire(path, 5000);
    first.release();
    (await second).release();
    expect(lockState(fs, path)).toEqual({ kind: "free" });
  });

  test("is not released by one who no longer holds it", async () => {
    const { path } = folderWithLock();
    const lock = await acquire(path);
    lock.release();
    await acquire(path);
    lock.release();
    expect(lockState(fs, path)).toEqual({ kind: "held", owner });
  });

  test("is no longer waited for when the caller gives up", async () => {
    const { path } = folderWithLock();
    await acquire(path);
    const reason = new Error("enough");
    await expect(acquireLock(fs, { path, waitMs: 5000 }, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test("in a folder that is not there is a file error", async () => {
    const path = join(temporaryFolder(onTestFinished), "missing", "s.lock");
    await expect(acquireLock(fs, { path, waitMs: 0 }, patient)).rejects.toMatchObject({ code: "FILESYSTEM_ERROR" });
  });
});

test("the next try comes after half of the time between two tries at the least, and one and a half at the most", () => {
  expect([nextTryMs(0), nextTryMs(1)]).toEqual([LIMITS.lockPollMs * 0.5, LIMITS.lockPollMs * 1.5]);
  expect(nextTryMs()).toBeGreaterThanOrEqual(LIMITS.lockPollMs * 0.5);
});

describe("the claim of a process that died", () => {
  test("counts for nothing and goes with the next taker", async () => {
    const { path } = folderWithLock();
    putClaim(path, deadProcess());
    putClaim(path, { ...deadProcess(), started: "2" });
    expect([lockState(fs, path), readdirSync(path).length]).toEqual([{ kind: "free" }, 2]);
    await acquire(path);
    expect(readdirSync(path)).toHaveLength(1);
  });

  test("counts for nothing although its number belongs to another process by now", async () => {
    const { path } = folderWithLock();
    putClaim(path, { ...identifySelf(), started: "1" });
    expect(await acquireLock(fs, { path, waitMs: 0 }, patient)).toMatchObject({ kind: "acquired" });
  });

  test("counts for nothing when the machine was started anew since", async () => {
    const { path } = folderWithLock();
    putClaim(path, { ...identifySelf(), boot: "00000000" });
    expect(await acquireLock(fs, { path, waitMs: 0 }, patient)).toMatchObject({ kind: "acquired" });
  });

  test("on another host is believed to live", async () => {
    const { path } = folderWithLock();
    const far = { ...deadProcess(), host: "else where.example" };
    putClaim(path, far);
    expect(await acquireLock(fs, { path, waitMs: 0 }, patient)).toMatchObject({ kind: "held", owner: far });
  });
});

describe("something else in a lock's place", () => {
  test("that is a file is held by someone unknown, refused, and stays", async () => {
    const { path } = folderWithLock();
    writeFileSync(path, "precious");
    expect(lockState(fs, path)).toEqual({ kind: "held", owner: undefined });
    await expect(acquireLock(fs, { path, waitMs: 0 }, patient)).rejects.toMatchObject({ code: "FILESYSTEM_ERROR" });
    expect(readFileSync(path, "utf8")).toBe("precious");
  });

  test("in the folder that is no claim keeps nobody out and stays", async () => {
    const { path } = folderWithLock();
    mkdirSync(path);
    writeFileSync(join(path, "notes.txt"), "");
    (await acquire(path)).release();
    expect(readdirSync(path)).toEqual(["notes.txt"]);
  });
});

describe("many processes", () => {
  /** A program that takes the lock, adds one to a number in a file, and releases it, over and over. */
  const PROGRAM = `
    import { readFileSync, writeFileSync } from "node:fs";
    import { acquireLock } from "./file-lock.ts";
    import { nodeFileSystem } from "./file-system.ts";
    const [lockPath, counter, rounds] = process.argv.slice(2);
    for (let round = 0; round < Number(rounds); round += 1) {
      const attempt = await acquireLock(nodeFileSystem, { path: lockPath, waitMs: 20000 }, new AbortController().signal);
      if (attempt.kind === "held") process.exit(3);
      const number = Number(readFileSync(counter, "utf8"));
      writeFileSync(counter, String(number + 1));
      if (process.env.DIE_AT === String(round)) process.kill(process.pid, "SIGKILL");
      attempt.lock.release();
    }
  `;

  function build(folder: string): string {
    const outfile = join(folder, "program.mjs");
    const resolveDir = fileURLToPath(new URL(".", import.meta.url));
    const stdin = { contents: PROGRAM, resolveDir, loader: "ts" as const };
    buildSync({ stdin, outfile, bundle: true, platform: "node", format: "esm" });
    return outfile;
  }

  test("never hold it at the same time, also when some are killed while they hold it", async () => {
    const { folder, path } = folderWithLock();
    const program = build(folder);
    const counter = join(folder, "counter");
    writeFileSync(counter, "0");
    const start = (rounds: number, dieAt: string): Promise<unknown[]> =>
      once(spawn(process.execPath, [program, path, counter, String(rounds)], { env: { DIE_AT: dieAt } }), "exit");
    const ends = await Promise.all([start(10, ""), start(10, ""), start(5, "2"), start(5, "0")]);
    expect(ends).toEqual([
      [0, null],
      [0, null],
      [null, "SIGKILL"],
      [null, "SIGKILL"],
    ]);
    const total = 10 + 10 + 3 + 1;
    expect([readFileSync(counter, "utf8"), lockState(fs, path)]).toEqual([String(total), { kind: "free" }]);
  });
});

describe("a disk that fails", () => {
  /** Takes and releases a lock with one call failing, then tries again with a disk that works. */
  async function attempt(fault: Fault) {
    const { folder, path } = folderWithLock();
    const { fs: faulty, calls } = createFaultyFileSystem(fault);
    let error: unknown;
    try {
      const taken = await acquireLock(faulty, { path, waitMs: 0 }, patient);
      if (taken.kind === "acquired") taken.lock.release();
    } catch (thrown) {
      error = thrown;
    }
    const next = await acquireLock(fs, { path, waitMs: 0 }, patient);
    if (next.kind === "acquired") next.lock.release();
    const call = calls[fault.at];
    return {
      reached: call !== undefined,
      call: call?.replace(path, "LOCK"),
      code: error === undefined ? undefined : (error as { code?: unknown }).code,
      next: next.kind,
      leftovers: readdirSync(folder),
    };
  }

  test("at any moment keeps nobody from the lock later, and is reported as a row of the catalogue", async () => {
    const wrong: unknown[] = [];
    for (let at = 0; ; at += 1) {
      const after = await attempt({ at, errno: "EIO" });
      if (!after.reached) break;
      const reported = after.code === "FILESYSTEM_ERROR" || after.code === undefined;
      if (after.next !== "acquired" || !reported || after.leftovers.length > 0) wrong.push(after);
    }
    expect(wrong).toEqual([]);
  });
});
