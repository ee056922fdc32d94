import { mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../process/testing/until.ts";
import { nodeFileSystem } from "../files/index.ts";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import { append, collect, event } from "./log/log.conformance.ts";
import type { EventLog } from "./log/index.ts";
import { openSegmentLog } from "./log/index.ts";
import { startBus } from "./testing/bus-harness.ts";

const EVENTS = 40;

const open = (directory: string): EventLog =>
  openSegmentLog(nodeFileSystem, {
    directory,
    durability: "relaxed",
    segmentBytes: 1600,
    retainBytes: Infinity,
    retainMs: Infinity,
  });

/** The lines of all segments, by file. */
type Files = Map<string, string[]>;

function readFiles(directory: string): Files {
  const names = readdirSync(directory).filter((name) => name.endsWith(".jsonl"));
  return new Map(
    names.toSorted().map((name) => [name, readFileSync(join(directory, name), "utf8").split("\n").slice(0, -1)]),
  );
}

const lineOf = (files: Files, sequence: number): [lines: string[], at: number] => {
  for (const lines of files.values()) {
    const at = lines.findIndex((line) => line.endsWith(`"sequence":${sequence}}`));
    if (at !== -1) return [lines, at];
  }
  throw new Error(`no line ${sequence}`);
};

const cut = (files: Files, sequence: number): void => {
  const [lines, at] = lineOf(files, sequence);
  lines.splice(at, 1);
};

/** Writes events, changes the files of the log as a broken disk would, and opens it again. */
async function damagedLog(damage: (files: Files) => void): Promise<EventLog> {
  const directory = join(temporaryFolder(onTestFinished), "log");
  mkdirSync(directory);
  const log = open(directory);
  for (let n = 1; n <= EVENTS; n += 1) await append(log, event("note.x", { n }));
  await log.close();
  const files = readFiles(directory);
  expect(files.size).toBeGreaterThan(2);
  damage(files);
  for (const name of readdirSync(directory)) {
    const lines = files.get(name);
    if (lines === undefined && name.endsWith(".jsonl")) unlinkSync(join(directory, name));
    else if (lines !== undefined) writeFileSync(join(directory, name), lines.map((line) => `${line}\n`).join(""));
  }
  return open(directory);
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n);

/** A part of the log that is there twice, at a place of one of its files. */
const repeat = (files: Files, [from, to]: [number, number], file: number): void => {
  const copies = range(from, to).map((sequence) => {
    const [lines, at] = lineOf(files, sequence);
    return lines[at] ?? "";
  });
  [...files.values()].at(file)?.push(...copies);
};

const secondName = (files: Files): string => [...files.keys()][1] ?? "";

test.each<[string, (files: Files) => void, readonly [number, number][]]>([
  ["lines missing within a file", (files) => [3, 4].forEach((each) => cut(files, each)), [[2, 4]]],
  [
    "lines missing in two places",
    (files) => [3, 6].forEach((each) => cut(files, each)),
    [
      [2, 3],
      [5, 6],
    ],
  ],
  ["a line that is no record", (files) => lineOf(files, 5)[0].splice(lineOf(files, 5)[1], 1, "\0\0\0"), [[4, 5]]],
  [
    "a number beyond the end",
    (files) =>
      lineOf(files, 5)[0].splice(4, 1, (lineOf(files, 5)[0][4] ?? "").replace('"sequence":5', '"sequence":999')),
    [[4, 5]],
  ],
  ["a part that is there twice", (files) => repeat(files, [2, 4], 0), []],
  ["a part of another file", (files) => repeat(files, [1, 3], 1), []],
  ["an old part at the very end", (files) => repeat(files, [EVENTS - 3, EVENTS - 2], -1), []],
])("every reader of a log with %s gets each event once, and is told what is missing", async (_what, damage, gaps) => {
  const log = await damagedLog(damage);
  expect(log.head()).toBe(EVENTS);
  const { connect } = await startBus({ log });
  const client = connect();
  await client.hello({ role: "observer", capabilities: ["gap"] });
  await client.ask({ cmd: "subscribe", topic: "note.*", fromCursor: "0000:0" });
  await until(() => client.pushes("caught-up").length > 0);
  const missing = new Set(gaps.flatMap(([from, to]) => range(from + 1, to)));
  const wanted = range(1, EVENTS).filter((sequence) => !missing.has(sequence));
  expect(client.pushes().map(({ sequence }) => sequence)).toEqual(wanted);
  expect(client.pushes("gap").map(({ from, to, reason }) => ({ from, to, reason }))).toEqual(
    gaps.map(([from, to]) => ({ from: `${log.epoch}:${from}`, to: `${log.epoch}:${to}`, reason: "lost" })),
  );
  const { events, gaps: lost = [] } = await client.ask({ cmd: "log.read", since: "0000:0", topics: ["note.*"] });
  expect((events as { sequence: number }[]).map(({ sequence }) => sequence)).toEqual(wanted);
  expect(lost).toEqual(
    gaps.map(([from, to]) => ({ from: `${log.epoch}:${from}`, to: `${log.epoch}:${to}`, reason: "lost" })),
  );
});

test("a payload that a disk made no JSON is a gap in one reply, and harms no other event", async () => {
  const log = await damagedLog((files) => {
    for (const sequence of [5, EVENTS]) {
      const [lines, at] = lineOf(files, sequence);
      lines[at] = (lines[at] ?? "").replace('"payload":{', '"payload":<');
    }
  });
  const { connect } = await startBus({ log });
  const client = connect();
  await client.hello({ role: "observer", capabilities: ["transient"] });
  const reply = await client.ask({ cmd: "log.read", since: "0000:0" });
  expect((reply["events"] as { sequence: number }[]).map(({ sequence }) => sequence)).toEqual([
    ...range(1, 4),
    ...range(6, EVENTS - 1),
  ]);
  expect(reply).toMatchObject({
    gaps: [
      { from: `${log.epoch}:4`, to: `${log.epoch}:5`, reason: "lost" },
      { from: `${log.epoch}:${EVENTS - 1}`, to: `${log.epoch}:${EVENTS}`, reason: "lost" },
    ],
    cursor: `${log.epoch}:${EVENTS}`,
    more: false,
  });
});

test("a file missing in the middle is one gap, and the number of the next event was never given out", async () => {
  let [from, to] = [0, 0];
  const log = await damagedLog((files) => {
    const name = secondName(files);
    from = Number.parseInt(name, 10) - 1;
    to = from + (files.get(name)?.length ?? 0);
    files.delete(name);
  });
  const { connect } = await startBus({ log });
  const client = connect();
  await client.hello({ role: "observer", capabilities: ["gap", "durable"] });
  await client.ask({ cmd: "subscribe", topic: "note.*", durable: "reader", fromCursor: `${log.epoch}:1` });
  await until(() => client.pushes("caught-up").length > 0);
  expect(client.pushes("gap")).toMatchObject([{ from: `${log.epoch}:${from}`, to: `${log.epoch}:${to}` }]);
  expect(client.pushes().map(({ sequence }) => sequence)).toEqual([...range(2, from), ...range(to + 1, EVENTS)]);
});

test("what is stored after a part was repeated at the end can be read", async () => {
  const log = await damagedLog((files) => repeat(files, [EVENTS - 3, EVENTS - 2], -1));
  expect(await append(log, event("note.x", { n: "next" }))).toBe(EVENTS + 1);
  expect((await collect(log)).map(({ sequence }) => sequence)).toEqual(range(1, EVENTS + 1));
});
