import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ClawError } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { acquireLock, nodeFileSystem as fs } from "../files/index.ts";
import { createFaultyFileSystem } from "../files/testing/faulty-file-system.ts";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import type { SessionStore } from "./session-store.ts";
import { createSessionStore } from "./session-store.ts";

const signal = new AbortController().signal;
const prompt = (text: string) => ({ role: "user" as const, blocks: [{ type: "text" as const, text }] });

const open = (cwd = temporaryFolder(onTestFinished), files = fs): SessionStore =>
  createSessionStore(files, { cwd, lockWaitMs: 0 });

async function codeOf(work: () => unknown): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error instanceof ClawError ? error.code : error;
  }
}

const textOf = (store: SessionStore, id: string): string => readFileSync(join(store.directory, `${id}.jsonl`), "utf8");

describe("storing a turn", () => {
  test("makes the folder and a new session, private, and leaves nothing else", async () => {
    const store = open();
    const { id, path, created, totals, repair } = await store.appendTurn(undefined, [prompt("hi")], signal);
    expect([created, totals.messages, repair]).toEqual([true, 1, { kind: "whole" }]);
    expect(readdirSync(store.directory)).toEqual([`${id}.jsonl`]);
    expect([statSync(store.directory).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(store.list().entries).toMatchObject([{ id, path }]);
  });

  test("goes on with a session that is there, and its records say what was stored", async () => {
    const store = open();
    await store.appendTurn("s", [prompt("one")], signal);
    const second = await store.appendTurn("s", [prompt("two")], signal);
    expect([second.created, second.totals.messages, second.totals.turns]).toEqual([false, 2, 2]);
    const records = textOf(store, "s")
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(records).toEqual(["session_meta", "message", "turn_commit", "message", "turn_commit"]);
    const reading = await store.read(store.find(second.id), { signal });
    expect([reading.totals, reading.uncommitted, reading.meta?.session_id]).toEqual([second.totals, 0, "s"]);
  });

  test("sets an unfinished line aside first", async () => {
    const store = open();
    await store.appendTurn("s", [prompt("one")], signal);
    const whole = textOf(store, "s");
    writeFileSync(join(store.directory, "s.jsonl"), `${whole}{"torn`);
    const { repair, totals } = await store.appendTurn("s", [prompt("two")], signal);
    const kept = join(store.directory, `s.jsonl.torn-${whole.length}`);
    expect([repair, totals.messages, readFileSync(kept, "utf8")]).toEqual([
      { kind: "cut", bytes: 6, kept },
      2,
      '{"torn',
    ]);
  });

  test("refuses a session with a broken line and changes nothing", async () => {
    const store = open();
    mkdirSync(store.directory, { recursive: true });
    writeFileSync(join(store.directory, "s.jsonl"), "{broken\n");
    expect(await codeOf(() => store.appendTurn("s", [prompt("x")], signal))).toBe("SESSION_CORRUPT");
    expect([textOf(store, "s"), readdirSync(store.directory)]).toEqual(["{broken\n", ["s.jsonl"]]);
  });

  test("is refused while another holds the session, and nothing is changed", async () => {
    const store = open();
    await store.appendTurn("s", [prompt("one")], signal);
    const before = textOf(store, "s");
    const path = join(store.directory, "s.lock");
    const held = await acquireLock(fs, { path, waitMs: 0 }, signal);
    expect(store.isHeld("s")).toBe(true);
    const failure = await store.appendTurn("s", [prompt("two")], signal).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "SESSION_LOCKED",
      retryable: true,
      target: "s",
      options: {
        retryAfterMs: 5000,
        details: { lock_path: path, holder_pid: process.pid, held_ms: expect.any(Number) },
      },
    });
    if (held.kind === "acquired") held.lock.release();
    expect([textOf(store, "s"), store.isHeld("s")]).toEqual([before, false]);
  });

  test("many times at once stores every turn whole, one after the other", async () => {
    const cwd = temporaryFolder(onTestFinished);
    const store = createSessionStore(fs, { cwd, lockWaitMs: 10_000 });
    const words = ["a", "b", "c", "d", "e", "f"];
    await Promise.all(words.map((word) => store.appendTurn("s", [prompt(word), prompt(word)], signal)));
    const reading = await store.read(store.find("s"), { signal });
    expect([reading.totals.messages, reading.totals.turns, reading.uncommitted]).toEqual([12, 6, 0]);
  });
});

describe("a disk that fails while a turn is stored", () => {
  /** Stores a second turn with one call failing, then tries again with a disk that works. */
  async function attempt(at: number, errno: "ENOSPC" | "EIO", fresh: boolean) {
    const cwd = temporaryFolder(onTestFinished);
    const store = open(cwd);
    if (!fresh) await store.appendTurn("s", [prompt("one")], signal);
    const before = fresh ? "" : textOf(store, "s");
    const { fs: faulty, calls } = createFaultyFileSystem({ at, errno });
    const failure = await codeOf(() => open(cwd, faulty).appendTurn("s", [prompt("two")], signal));
    const after = existsSync(join(store.directory, "s.jsonl")) ? textOf(store, "s") : "";
    const whole = after.startsWith(before) && /"turn_commit".*\n$/.test(after.slice(before.length));
    const retry = await codeOf(() => store.appendTurn("s", [prompt("three")], signal));
    const call = calls[at]?.replace(store.directory, "").replace(/lock\.[a-z0-9]{4,8}$/, "lock.TEMP");
    return { call, stored: after === before ? "nothing" : whole ? "all" : "part", failure, retry };
  }

  async function everyAttempt(): Promise<(Awaited<ReturnType<typeof attempt>> & { errno: string; fresh: boolean })[]> {
    const all = [];
    for (const errno of ["ENOSPC", "EIO"] as const) {
      for (const fresh of [false, true]) {
        for (let at = 0; ; at += 1) {
          const after = await attempt(at, errno, fresh);
          if (after.call === undefined) break;
          all.push({ ...after, errno, fresh });
        }
      }
    }
    return all;
  }

  test("at any moment leaves all of it or nothing", async () => {
    expect((await everyAttempt()).filter(({ stored }) => stored === "part")).toEqual([]);
  });

  test("is reported as a row of the catalogue", async () => {
    const rows = new Set<unknown>(["DISK_FULL", "FILESYSTEM_ERROR"]);
    const odd = (await everyAttempt()).filter(
      ({ failure, stored }) => !rows.has(failure) && !(failure === undefined && stored === "all"),
    );
    expect(odd).toEqual([]);
  });

  test("is not reported when the turn is on disk for good", async () => {
    const reported = (await everyAttempt()).filter(({ stored, failure }) => stored === "all" && failure !== undefined);
    expect(reported).toEqual([]);
  });

  test("keeps nobody from going on", async () => {
    expect((await everyAttempt()).filter(({ retry }) => retry !== undefined)).toEqual([]);
  });
});

describe("finding", () => {
  async function threeSessions(): Promise<SessionStore> {
    const store = open();
    for (const [index, id] of ["a", "b", "c"].entries()) {
      await store.appendTurn(id, [prompt(id)], signal);
      utimesSync(join(store.directory, `${id}.jsonl`), 1000 + index, 1000 + index);
    }
    return store;
  }

  test("goes by id, by path and by the word for the newest", async () => {
    const store = await threeSessions();
    const refs = ["a", ".claw/sessions/b.jsonl", "latest", join(store.directory, "a.jsonl")];
    expect(refs.map((ref) => [store.find(ref).id, store.idOf(ref)])).toEqual([
      ["a", "a"],
      ["b", "b"],
      ["c", "c"],
      ["a", "a"],
    ]);
  });

  test("the newest passes over sessions with nothing in them, unless there are no others", async () => {
    const store = await threeSessions();
    writeFileSync(join(store.directory, "empty.jsonl"), "");
    expect(store.find("latest").id).toBe("c");
    const lonely = open();
    mkdirSync(lonely.directory, { recursive: true });
    writeFileSync(join(lonely.directory, "empty.jsonl"), "");
    expect(lonely.find("latest").id).toBe("empty");
  });

  test("says what is missing", async () => {
    const store = await threeSessions();
    expect(await codeOf(() => store.find("none"))).toBe("SESSION_NOT_FOUND");
    expect(await codeOf(() => open().find("latest"))).toBe("NO_SESSIONS");
    expect(await codeOf(() => store.find("../x"))).toBe("INVALID_SESSION_ID");
    expect([store.idOf("none"), open().idOf("latest")]).toEqual(["none", undefined]);
  });
});

describe("reading", () => {
  const TORN = '{"torn';

  async function tornSession(): Promise<{ store: SessionStore; whole: string }> {
    const store = open();
    await store.appendTurn("s", [prompt("one")], signal);
    const whole = textOf(store, "s");
    writeFileSync(join(store.directory, "s.jsonl"), whole + TORN);
    return { store, whole };
  }

  test("repairs an unfinished line and leaves no lock", async () => {
    const { store, whole } = await tornSession();
    expect((await store.read(store.find("s"), { signal })).tornBytes).toBe(TORN.length);
    expect([textOf(store, "s"), readdirSync(store.directory).toSorted()]).toEqual([
      whole,
      ["s.jsonl", `s.jsonl.torn-${whole.length}`],
    ]);
  });

  test("leaves an unfinished line to whoever is writing", async () => {
    const { store, whole } = await tornSession();
    const held = await acquireLock(fs, { path: join(store.directory, "s.lock"), waitMs: 0 }, signal);
    expect((await store.read(store.find("s"), { signal })).totals.messages).toBe(1);
    expect(textOf(store, "s")).toBe(whole + TORN);
    if (held.kind === "acquired") held.lock.release();
  });

  test("succeeds where nothing can be written", async () => {
    const { store, whole } = await tornSession();
    const cwd = join(store.directory, "..", "..");
    const clean = createFaultyFileSystem();
    const entry = store.find("s");
    await open(cwd, clean.fs).read(entry, { signal });
    writeFileSync(entry.path, whole + TORN);
    const first = clean.calls.findIndex((call) => call.startsWith("openSync") && call.includes(".lock"));
    const { fs: faulty } = createFaultyFileSystem({ at: first, errno: "EROFS" });
    expect((await open(cwd, faulty).read(entry, { signal })).totals.messages).toBe(1);
    expect(textOf(store, "s")).toBe(whole + TORN);
  });
});

describe("forcing to disk and removing", () => {
  test("forces a session to disk without changing it", async () => {
    const store = open();
    await store.appendTurn("s", [prompt("one")], signal);
    const before = textOf(store, "s");
    store.sync(store.find("s"));
    expect(textOf(store, "s")).toBe(before);
  });

  test("removes a session nobody writes to, and only that", async () => {
    const store = open();
    await store.appendTurn("s", [prompt("one")], signal);
    await store.appendTurn("t", [prompt("one")], signal);
    await store.remove("s", signal);
    expect(readdirSync(store.directory)).toEqual(["t.jsonl"]);
    expect(await codeOf(() => store.remove("s", signal))).toBe("SESSION_NOT_FOUND");
  });

  test("does not remove a session somebody writes to", async () => {
    const store = open();
    await store.appendTurn("s", [prompt("one")], signal);
    await acquireLock(fs, { path: join(store.directory, "s.lock"), waitMs: 0 }, signal);
    expect(await codeOf(() => store.remove("s", signal))).toBe("SESSION_LOCKED");
    expect(store.find("s").id).toBe("s");
  });
});
