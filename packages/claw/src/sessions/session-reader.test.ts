import { openSync, closeSync, ftruncateSync, writeFileSync, writeSync } from "node:fs";
import type { SessionRecord } from "claw-contract";
import { LIMITS } from "claw-contract";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { nodeFileSystem as fs } from "../files/index.ts";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import type { SessionEntry } from "./session-files.ts";
import { findSessionFile, sessionPath } from "./session-files.ts";
import { readSession } from "./session-reader.ts";
import { EMPTY_TOTALS } from "./session-totals.ts";
import { metaRecord, turnRecords } from "./session-writer.ts";

const signal = new AbortController().signal;
const meta = metaRecord("s", 1234, "/w");
const message = { role: "user" as const, blocks: [{ type: "text" as const, text: "héllo" }] };
const turn = turnRecords(EMPTY_TOTALS, { id: "t", nowMs: 5, messages: [message] });
const WHOLE = [meta, ...turn.records].map((record) => `${JSON.stringify(record)}\n`).join("");

function entryWith(content: string | Uint8Array): SessionEntry {
  const folder = temporaryFolder(onTestFinished);
  writeFileSync(sessionPath(folder, "s"), content);
  return findSessionFile(fs, folder, "s");
}

async function read(content: string | Uint8Array) {
  const records: SessionRecord[] = [];
  const reading = await readSession(fs, entryWith(content), { signal, onRecord: (record) => records.push(record) });
  return { ...reading, records };
}

const nothing = {
  meta: undefined,
  totals: EMPTY_TOTALS,
  uncommitted: 0,
  tail: "whole",
  tornBytes: 0,
  records: [],
};

test("a whole session is read from its first record to its last", async () => {
  expect(await read(WHOLE)).toEqual({
    meta,
    totals: turn.totals,
    uncommitted: 0,
    tail: "whole",
    tornBytes: 0,
    records: [meta, ...turn.records],
  });
});

test("an empty file and blank lines hold nothing", async () => {
  expect([await read(""), await read("\n \n\r\n")]).toEqual([nothing, nothing]);
});

test("lines of a type this version does not know are passed over", async () => {
  expect(await read(`{"type":"future","x":1}\n${WHOLE}`)).toMatchObject({ meta, totals: turn.totals });
});

test("an unfinished last line is no error, whatever it holds", async () => {
  for (const tail of ['{"type":"mess', "\uFFFD", "garbage"]) {
    const tornBytes = Buffer.byteLength(tail);
    expect(await read(WHOLE + tail)).toMatchObject({ totals: turn.totals, tail: "torn", tornBytes });
  }
});

test("a last record that only lacks its line end counts", async () => {
  expect(await read(WHOLE.trimEnd())).toMatchObject({ totals: turn.totals, tail: "unterminated", tornBytes: 0 });
});

test("a session cut off at any byte is still read", async () => {
  const bytes = Buffer.from(WHOLE);
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length), async (length) => {
      const { totals, tail, tornBytes } = await read(bytes.subarray(0, length));
      const lineEnd = bytes.subarray(0, length).lastIndexOf(0x0a) + 1;
      const committed = length >= bytes.length - 1;
      expect([totals, tornBytes]).toEqual([
        committed ? turn.totals : EMPTY_TOTALS,
        tail === "torn" ? length - lineEnd : 0,
      ]);
    }),
    { numRuns: 40 },
  );
});

describe("a session with a line that makes no sense", () => {
  test.each([
    ["no JSON", "{broken\n", "it is not JSON"],
    ["no record", "[]\n", "it is no typed record"],
    ["half a record", '{"type":"message"}\n', "message must be an object"],
    ["bytes that are no text", Buffer.from([0xff, 0xfe, 0x0a]), "it is not UTF-8 text"],
  ])("because it holds %s names the line", async (_name, line, why) => {
    const content = Buffer.concat([Buffer.from(WHOLE), Buffer.from(line), Buffer.from(WHOLE)]);
    await expect(read(content)).rejects.toMatchObject({
      code: "SESSION_CORRUPT",
      message: `session 's' is broken in line 4: ${why}`,
      options: { details: { line: 4 } },
    });
  });

  test("because it is too long names the line", async () => {
    const entry = entryWith(WHOLE);
    const fd = openSync(entry.path, "r+");
    ftruncateSync(fd, WHOLE.length + LIMITS.sessionLineBytes + 100);
    writeSync(fd, "\n", WHOLE.length + LIMITS.sessionLineBytes + 100);
    closeSync(fd);
    await expect(readSession(fs, entry, { signal })).rejects.toMatchObject({
      code: "SESSION_CORRUPT",
      options: { details: { line: 4 } },
    });
  });
});

test("a session of a newer version is refused, one of an older is read", async () => {
  await expect(read(`${JSON.stringify({ ...meta, version: 2 })}\n`)).rejects.toMatchObject({
    code: "SESSION_VERSION_UNSUPPORTED",
    options: { details: { version: 2 } },
  });
  expect(await read(`${JSON.stringify({ ...meta, version: 0 })}\n`)).toMatchObject({ totals: EMPTY_TOTALS });
});

test("a caller who gives up is told why", async () => {
  const reason = new Error("enough");
  const reading = readSession(fs, entryWith(WHOLE), { signal: AbortSignal.abort(reason) });
  await expect(reading).rejects.toBe(reason);
});

test("whatever bytes a file holds, it is read or said to be broken", async () => {
  const line = fc.oneof(fc.constantFrom(...WHOLE.trimEnd().split("\n")), fc.string(), fc.json());
  await fc.assert(
    fc.asyncProperty(fc.array(line), async (all) => {
      const outcome = await read(all.join("\n")).catch((error: unknown) => error);
      expect(["SESSION_CORRUPT", undefined]).toContain((outcome as { code?: string }).code);
    }),
    { numRuns: 60 },
  );
});
