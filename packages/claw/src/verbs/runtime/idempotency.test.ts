import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonObject } from "claw-contract";
import { ClawError, LIMITS } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFaultyFileSystem } from "../../files/testing/faulty-file-system.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import type { Ports } from "./handle.ts";
import { runOnce } from "./idempotency.ts";
import { createTestPorts } from "../testing/test-ports.ts";

const CALL = { verb: "init", key: "k1", input: { a: 1 }, shownOnce: [] as string[] };
const DATA = { made: "it", effect: "created" };

function prepare() {
  const cwd = temporaryFolder(onTestFinished);
  const folder = join(cwd, ".claw", "idempotency");
  const done: JsonObject[] = [];
  const work = async (): Promise<JsonObject> => {
    done.push(DATA);
    return DATA;
  };
  const stored = (): string[] => (existsSync(folder) ? readdirSync(folder) : []);
  return { cwd, folder, done, work, stored };
}

/** What came of a call: its answer, or the code it failed with. */
const outcomeOf = (call: typeof CALL, ports: Ports, work: () => Promise<JsonObject>): Promise<unknown> =>
  runOnce(call, ports, work).catch((error: unknown) => (error instanceof ClawError ? error.code : error));

describe("a call with a key", () => {
  test("is done once; a repeated one gets the first answer, marked as having changed nothing", async () => {
    const { cwd, done, work, stored } = prepare();
    const ports = createTestPorts(cwd);
    expect([await runOnce(CALL, ports, work), await runOnce(CALL, ports, work)]).toEqual([
      DATA,
      { made: "it", effect: "noop" },
    ]);
    expect([done.length, stored().length]).toEqual([1, 1]);
  });

  test("does not store what is shown once, and leaves it out when the call is repeated", async () => {
    const { cwd, folder, stored } = prepare();
    const call = { ...CALL, shownOnce: ["made"] };
    const work = (): Promise<JsonObject> => Promise.resolve({ made: "a secret", effect: "created" });
    expect(await runOnce(call, createTestPorts(cwd), work)).toEqual({ made: "a secret", effect: "created" });
    expect(readFileSync(join(folder, stored()[0] ?? ""), "utf8")).not.toContain("a secret");
    expect(await runOnce(call, createTestPorts(cwd), work)).toEqual({ made: null, effect: "noop" });
  });

  test("made many times at once is done once", async () => {
    const { cwd, done, work } = prepare();
    const answers = await Promise.all([1, 2, 3].map(() => runOnce(CALL, createTestPorts(cwd), work)));
    expect([done.length, answers.map((answer) => String(answer["effect"])).toSorted()]).toEqual([
      1,
      ["created", "noop", "noop"],
    ]);
  });

  test("that is another call is refused", async () => {
    const { cwd, done, work } = prepare();
    const ports = createTestPorts(cwd);
    await runOnce(CALL, ports, work);
    const others = [
      { ...CALL, verb: "export" },
      { ...CALL, input: { a: 2 } },
    ];
    expect([await outcomeOf(others[0] ?? CALL, ports, work), await outcomeOf(others[1] ?? CALL, ports, work)]).toEqual([
      "IDEMPOTENCY_KEY_REUSED",
      "IDEMPOTENCY_KEY_REUSED",
    ]);
    expect([await outcomeOf({ ...CALL, key: "k2" }, ports, work), done.length]).toEqual([DATA, 2]);
  });

  test("that fails leaves its key free", async () => {
    const { cwd, done, work, stored } = prepare();
    const ports = createTestPorts(cwd);
    const failure = new ClawError("DISK_FULL", "full", { operation: "o", target: "t" });
    expect(await outcomeOf(CALL, ports, () => Promise.reject(failure))).toBe("DISK_FULL");
    expect(stored()).toEqual([]);
    expect([await outcomeOf(CALL, ports, work), done.length]).toEqual([DATA, 1]);
  });

  test("that was cut off leaves its key taken, because nobody knows how far it came", async () => {
    const { cwd, folder, work, stored, done } = prepare();
    const ports = createTestPorts(cwd);
    await runOnce(CALL, ports, work);
    const path = join(folder, stored()[0] ?? "");
    const record = JSON.parse(readFileSync(path, "utf8")) as { call: string };
    writeFileSync(path, JSON.stringify({ ...record, data: null }));
    expect([await outcomeOf(CALL, ports, work), done.length]).toEqual(["IDEMPOTENCY_OUTCOME_UNKNOWN", 1]);
  });

  test("whose record cannot be read is not done again", async () => {
    const { cwd, folder, work, stored, done } = prepare();
    const ports = createTestPorts(cwd);
    await runOnce(CALL, ports, work);
    writeFileSync(join(folder, stored()[0] ?? ""), "{");
    expect([await outcomeOf(CALL, ports, work), done.length]).toEqual(["IDEMPOTENCY_OUTCOME_UNKNOWN", 1]);
  });

  test("may have any key, and none leaves the folder", async () => {
    const { cwd, stored, work } = prepare();
    for (const key of ["../../x", "/etc/passwd", "a\0b", "ü", "x".repeat(LIMITS.idempotencyKeyLength)]) {
      await runOnce({ ...CALL, key }, createTestPorts(cwd), work);
    }
    expect(stored().filter((name) => !/^[0-9a-f]{64}\.json$/.test(name))).toEqual([]);
  });

  test("forgets keys that nobody will repeat any more", async () => {
    const { cwd, folder, stored, work } = prepare();
    const ports = createTestPorts(cwd);
    await runOnce(CALL, ports, work);
    const old = (Date.now() - LIMITS.idempotencyRetentionMs) / 1000 - 60;
    const [name = ""] = stored();
    utimesSync(join(folder, name), old, old);
    await runOnce({ ...CALL, key: "k2" }, ports, work);
    expect(stored()).not.toContain(name);
    expect(stored().length).toBe(1);
  });
});

describe("a disk that fails", () => {
  /** The file calls of a run that works. */
  async function callsOf(): Promise<readonly string[]> {
    const { cwd, work } = prepare();
    const { fs, calls } = createFaultyFileSystem();
    await runOnce(CALL, createTestPorts(cwd, { files: fs }), work);
    return calls;
  }

  test("before the work stops it, and the key stays free", async () => {
    const { cwd, work, done } = prepare();
    const first = (await callsOf()).findIndex((call) => call.endsWith(".tmp"));
    const { fs: files } = createFaultyFileSystem({ at: first, errno: "ENOSPC" });
    expect([await outcomeOf(CALL, createTestPorts(cwd, { files }), work), done.length]).toEqual(["DISK_FULL", 0]);
    expect([await outcomeOf(CALL, createTestPorts(cwd), work), done.length]).toEqual([DATA, 1]);
  });

  test("after the work is a warning, and the work is reported", async () => {
    const { cwd, work, done } = prepare();
    const calls = await callsOf();
    const second = calls.findLastIndex((call) => call.startsWith("openSync") && call.endsWith(".tmp"));
    const { fs: files } = createFaultyFileSystem({ at: second, errno: "ENOSPC" });
    const ports = createTestPorts(cwd, { files });
    expect([await outcomeOf(CALL, ports, work), done.length, ports.notes.notes().warnings]).toEqual([
      DATA,
      1,
      ["IDEMPOTENCY_KEY_NOT_STORED: ENOSPC"],
    ]);
    expect(await outcomeOf(CALL, createTestPorts(cwd), work)).toBe("IDEMPOTENCY_OUTCOME_UNKNOWN");
  });

  test("at any moment is reported as a row of the catalogue, and never hides work that was done", async () => {
    const { length } = await callsOf();
    const wrong: unknown[] = [];
    for (let at = 0; at < length; at += 1) {
      const { cwd, work, done } = prepare();
      const { fs: files, calls } = createFaultyFileSystem({ at, errno: "EIO" });
      const ports = createTestPorts(cwd, { files });
      const first = await outcomeOf(CALL, ports, work);
      const doneFirst = done.length;
      const reported = first === DATA || typeof first === "string";
      const honest = doneFirst === 0 || first === DATA;
      if (!reported || !honest) wrong.push({ at, call: calls[at]?.replace(cwd, ""), first, done: doneFirst });
    }
    expect(wrong).toEqual([]);
  });
});

test.each([".claw", ".claw/idempotency"])(
  "no answer is kept or believed through a link in the place of %s",
  async (name) => {
    const { cwd, done, work } = prepare();
    const elsewhere = temporaryFolder(onTestFinished);
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    symlinkSync(elsewhere, join(cwd, name));
    expect(await outcomeOf(CALL, createTestPorts(cwd), work)).toBe("FILESYSTEM_ERROR");
    expect([done, readdirSync(elsewhere)]).toEqual([[], []]);
  },
);
