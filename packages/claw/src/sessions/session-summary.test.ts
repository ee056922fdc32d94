import { truncateSync, writeFileSync } from "node:fs";
import type { SessionRecord } from "claw-contract";
import { LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { nodeFileSystem as fs } from "../files/index.ts";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import { findSessionFile, sessionPath } from "./session-files.ts";
import { readSession } from "./session-reader.ts";
import type { SessionGlimpse } from "./session-summary.ts";
import { glimpseSession } from "./session-summary.ts";
import { EMPTY_TOTALS } from "./session-totals.ts";
import { metaRecord, turnRecords } from "./session-writer.ts";

const meta = metaRecord("s", 1234, "/w");
const prompt = (text: string) => ({ role: "user" as const, blocks: [{ type: "text" as const, text }] });
const loose = (text: string): SessionRecord => ({ type: "message", message: prompt(text) });
const turn = (text: string, before = EMPTY_TOTALS) =>
  turnRecords(before, { id: "t", nowMs: 5, messages: [prompt(text)] });

const lines = (records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join("");

function prepare(text: string): { glimpse: () => SessionGlimpse; path: string; folder: string; modifiedMs: number } {
  const folder = temporaryFolder(onTestFinished);
  const path = sessionPath(folder, "s");
  writeFileSync(path, text);
  const glimpse = () => glimpseSession(fs, findSessionFile(fs, folder, "s"));
  return { glimpse, path, folder, modifiedMs: findSessionFile(fs, folder, "s").modifiedMs };
}

test("an empty session was made when it was last changed and holds nothing", () => {
  const { glimpse, modifiedMs } = prepare("");
  expect(glimpse()).toEqual({ createdMs: modifiedMs, totals: EMPTY_TOTALS });
});

test("totals are those of the last commit and of what follows it", () => {
  const { records, totals } = turn("hello");
  const { glimpse } = prepare(lines([meta, ...records, loose("again")]));
  expect(glimpse()).toEqual({
    createdMs: 1234,
    meta,
    totals: { ...totals, messages: 2, prompts: 2, turns: 2, estimated_tokens: totals.estimated_tokens + 4 },
  });
});

test("a session without commits is counted line by line", () => {
  expect(prepare(lines([meta, loose("a"), loose("b")])).glimpse().totals).toMatchObject({ messages: 2, turns: 2 });
});

test("a commit far from the end is found as long as the file may be counted", () => {
  const { records, totals } = turn("hello");
  const long = "x".repeat(LIMITS.sessionTailBytes);
  const { glimpse } = prepare(lines([meta, ...records, loose(long)]));
  expect(glimpse().totals).toMatchObject({ messages: 2, input_tokens: totals.input_tokens });
});

test("a commit is found behind lines longer than the piece that is read first", () => {
  const { records, totals } = turn("x".repeat(LIMITS.sessionTailBytes * 2));
  expect(prepare(lines([meta, ...records])).glimpse().totals).toEqual(totals);
});

test("what is too large to count is said to be unknown", () => {
  const { glimpse, path } = prepare(lines([meta, loose("x".repeat(100))]));
  truncateSync(path, LIMITS.sessionScanBytes + 1000);
  expect(glimpse()).toEqual({ createdMs: 1234, meta, totals: undefined });
});

test("a very large session with a commit near its end is known at a glance", () => {
  const { records, totals } = turn("bye");
  const { glimpse } = prepare(lines([meta, loose("x".repeat(LIMITS.sessionScanBytes * 2)), ...records]));
  expect(glimpse()).toEqual({ createdMs: 1234, meta, totals });
});

test("a line that was never finished counts nothing", () => {
  const { records, totals } = turn("hello");
  const { glimpse } = prepare(`${lines([meta, ...records])}${JSON.stringify(loose("torn"))}`);
  expect(glimpse().totals).toEqual(totals);
});

test("a first line that says nothing of its time leaves the time of the last change", () => {
  const heads = ["{\n", '{"type":"session_meta","version":1,"created_at_ms":"soon"}\n', "x".repeat(5000)];
  for (const head of heads) {
    const { glimpse, modifiedMs } = prepare(head);
    expect(glimpse().createdMs).toBe(modifiedMs);
  }
});

test("a glance and a whole reading agree", async () => {
  const first = turn("one");
  const second = turn("two", first.totals);
  const { glimpse, folder } = prepare(lines([meta, ...first.records, ...second.records, loose("three")]));
  const { totals } = await readSession(fs, findSessionFile(fs, folder, "s"), { signal: new AbortController().signal });
  expect(glimpse().totals).toEqual(totals);
});
