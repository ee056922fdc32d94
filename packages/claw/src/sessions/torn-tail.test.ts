import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { nodeFileSystem as fs } from "../files/index.ts";
import { createFaultyFileSystem } from "../files/testing/faulty-file-system.ts";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import { findSessionFile, sessionPath } from "./session-files.ts";
import { readSession } from "./session-reader.ts";
import { metaRecord } from "./session-writer.ts";
import { repairTail } from "./torn-tail.ts";

const LINE = JSON.stringify(metaRecord("s", 1234, "/w"));
const MESSAGE = '{"type":"message","message":{"role":"user","blocks":[{"type":"text","text":"hé"}]}}';

function prepare(content: string | Uint8Array) {
  const folder = temporaryFolder(onTestFinished);
  const path = sessionPath(folder, "s");
  writeFileSync(path, content);
  const repair = (files = fs) => {
    const fd = openSync(path, "a+");
    try {
      return repairTail(files, fd, path);
    } finally {
      closeSync(fd);
    }
  };
  return { folder, path, repair, text: () => readFileSync(path, "utf8") };
}

describe("a session that ends", () => {
  test.each([[""], [`${LINE}\n`], ["\n"]])("with a whole line (%j) is left alone", (content) => {
    const { repair, text, folder } = prepare(content);
    expect([repair(), text(), readdirSync(folder)]).toEqual([{ kind: "whole" }, content, ["s.jsonl"]]);
  });

  test.each([[MESSAGE], ['{"type":"future"}']])("with a record that lacks its line end (%j) gets it", (tail) => {
    const { repair, text, folder } = prepare(`${LINE}\n${tail}`);
    expect([repair(), text(), readdirSync(folder)]).toEqual([{ kind: "completed" }, `${LINE}\n${tail}\n`, ["s.jsonl"]]);
  });

  test.each([['{"type":"mess'], ["garbage"], ["  "], ["null"], [MESSAGE.slice(0, -1)]])(
    "with an unfinished line (%j) loses it to a file beside it",
    (tail) => {
      const { repair, text, path } = prepare(`${LINE}\n${tail}`);
      const kept = `${path}.torn-${LINE.length + 1}`;
      expect([repair(), text(), readFileSync(kept, "utf8")]).toEqual([
        { kind: "cut", bytes: Buffer.byteLength(tail), kept },
        `${LINE}\n`,
        tail,
      ]);
    },
  );

  test("with a very long unfinished line loses all of it", () => {
    const tail = "x".repeat(200_000);
    const { repair, text, path } = prepare(`${LINE}\n${tail}`);
    const kept = `${path}.torn-${LINE.length + 1}`;
    expect([repair(), text()]).toEqual([{ kind: "cut", bytes: 200_000, kept }, `${LINE}\n`]);
    expect(readFileSync(kept, "utf8") === tail).toBe(true);
  });

  test("without a single whole line loses everything to the file beside it", () => {
    const { repair, text, path } = prepare("torn");
    expect([repair(), text()]).toEqual([{ kind: "cut", bytes: 4, kept: `${path}.torn-0` }, ""]);
  });
});

test("what was cut off before is not lost when the same place is torn again", () => {
  const { repair, path, folder } = prepare(`${LINE}\nfirst`);
  repair();
  writeFileSync(path, `${LINE}\nsecond`);
  repair();
  const kept = readdirSync(folder).filter((name) => name !== "s.jsonl");
  expect(kept.map((name) => readFileSync(`${folder}/${name}`, "utf8")).toSorted()).toEqual(["first", "second"]);
});

test("a repaired session can be read, whatever its end was, and a second repair finds nothing to do", async () => {
  const message = Buffer.from(MESSAGE);
  const withBadByte = fc.nat(message.length - 1).map((at) => Buffer.from(message).fill(0xff, at, at + 1));
  const tail = fc.oneof(
    withBadByte,
    fc.nat(message.length).map((length) => message.subarray(0, length)),
    fc.uint8Array().map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 0x0a))),
  );
  await fc.assert(
    fc.asyncProperty(tail, async (bytes) => {
      const { repair, folder } = prepare(Buffer.concat([Buffer.from(`${LINE}\n`), bytes]));
      repair();
      expect(repair()).toEqual({ kind: "whole" });
      const entry = findSessionFile(fs, folder, "s");
      await readSession(fs, entry, { signal: new AbortController().signal });
    }),
    { numRuns: 150 },
  );
});

test("a disk that fails at any moment loses no byte of the unfinished line", () => {
  const tail = '{"type":"mess';
  const wrong: unknown[] = [];
  for (let at = 0; ; at += 1) {
    const { repair, path, folder, text } = prepare(`${LINE}\n${tail}`);
    const { fs: faulty, calls } = createFaultyFileSystem({ at, errno: "EIO" });
    let failed = false;
    try {
      repair(faulty);
    } catch {
      failed = true;
    }
    if (calls.length <= at) break;
    const kept = readdirSync(folder).filter((name) => name !== "s.jsonl");
    const stored = kept.some((name) => readFileSync(`${folder}/${name}`, "utf8") === tail);
    const still = readFileSync(path, "utf8") === `${LINE}\n${tail}`;
    const lost = !still && !(text() === `${LINE}\n` && stored);
    if (!failed || lost) wrong.push({ at, call: calls[at], kept, text: text() });
  }
  expect(wrong).toEqual([]);
});
