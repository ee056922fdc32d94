import { closeSync, constants, linkSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionRecord } from "claw-contract/schemas";
import { describe, expect, onTestFinished, test } from "vitest";
import { nodeFileSystem as fs } from "../files/index.ts";
import { createFaultyFileSystem } from "../files/testing/faulty-file-system.ts";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import { addTurn, EMPTY_TOTALS } from "./session-totals.ts";
import { appendRecords, metaRecord, openForAppend, turnRecords } from "./session-writer.ts";

const message = { role: "user" as const, blocks: [{ type: "text" as const, text: "hello" }] };
const meta = metaRecord("s", 1234, "/w");
const line = `${JSON.stringify(meta)}\n`;

describe("the records of a turn", () => {
  const turn = turnRecords(EMPTY_TOTALS, { id: "t1", nowMs: 77, messages: [message, message] });

  test("are its messages and a commit with the totals after it", () => {
    const totals = addTurn(EMPTY_TOTALS, [message, message]);
    expect(turn).toEqual({
      totals,
      records: [
        { type: "message", turn_id: "t1", timestamp_ms: 77, message },
        { type: "message", turn_id: "t1", timestamp_ms: 77, message },
        { type: "turn_commit", turn_id: "t1", timestamp_ms: 77, totals },
      ],
    });
  });

  test("and the first record fit the schema of session files", () => {
    expect([meta, ...turn.records].map((record) => SessionRecord.safeParse(record).success)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });
});

describe("a session file", () => {
  test("is made private and is only ever appended to", () => {
    const path = join(temporaryFolder(onTestFinished), "s.jsonl");
    const fd = openForAppend(fs, path);
    appendRecords(fs, fd, path, [meta]);
    appendRecords(fs, fd, path, [meta, meta]);
    closeSync(fd);
    expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual([line.repeat(3), 0o600]);
  });

  test("with a second hard link is written under its own name alone", () => {
    const folder = temporaryFolder(onTestFinished);
    const [path, other] = [join(folder, "s.jsonl"), join(folder, "other")];
    writeFileSync(other, line);
    linkSync(other, path);
    const fd = openForAppend(fs, path);
    appendRecords(fs, fd, path, [meta]);
    closeSync(fd);
    expect([readFileSync(path, "utf8"), readFileSync(other, "utf8")]).toEqual([line.repeat(2), line]);
  });

  test("is not opened through a link", () => {
    const folder = temporaryFolder(onTestFinished);
    writeFileSync(join(folder, "real"), "");
    symlinkSync(join(folder, "real"), join(folder, "s.jsonl"));
    expect(() => openForAppend(fs, join(folder, "s.jsonl"))).toThrow(
      expect.objectContaining({
        code: "FILESYSTEM_ERROR",
        options: expect.objectContaining({ details: { errno: "ELOOP" } }),
      }),
    );
  });
});

describe("a disk that fails", () => {
  /** How many whole records a text is made of; half of one makes it a fraction. */
  const linesOf = (text: string): number => (line.repeat(4).startsWith(text) ? text.length / line.length : Number.NaN);

  /** Appends two records to a file of one, with one call failing. */
  function attempt(at: number, errno: "ENOSPC" | "EIO" | "SHORT") {
    const path = join(temporaryFolder(onTestFinished), "s.jsonl");
    writeFileSync(path, line);
    const fd = fs.openSync(path, constants.O_RDWR | constants.O_APPEND);
    const { fs: faulty, calls } = createFaultyFileSystem({ at, errno });
    let code: unknown;
    try {
      appendRecords(faulty, fd, path, [meta, meta]);
    } catch (error) {
      code = (error as { code?: unknown }).code;
    }
    fs.closeSync(fd);
    return { at, errno, call: calls[at]?.split(" ")[0], code, lines: linesOf(readFileSync(path, "utf8")) };
  }

  test("leaves the file as it was when it says so, and all of it stored when it does not", () => {
    const wrong: unknown[] = [];
    for (const errno of ["ENOSPC", "EIO", "SHORT"] as const) {
      for (let at = 0; ; at += 1) {
        const after = attempt(at, errno);
        if (after.call === undefined) break;
        const kept = after.code === undefined ? 3 : 1;
        const expected = { ENOSPC: "DISK_FULL", EIO: "FILESYSTEM_ERROR", SHORT: undefined }[errno];
        if (after.lines !== kept || after.code !== expected) wrong.push(after);
      }
    }
    expect(wrong).toEqual([]);
  });
});
