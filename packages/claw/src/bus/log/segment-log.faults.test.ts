import { onTestFinished, expect, test } from "vitest";
import type { Fault } from "../../files/testing/faulty-file-system.ts";
import { createFaultyFileSystem, unsyncedFileSystem } from "../../files/testing/faulty-file-system.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { append, collect, event } from "./log.conformance.ts";
import type { SegmentLogOptions } from "./segment-log.ts";
import { openSegmentLog } from "./segment-log.ts";

const EVENTS = 9;

const options = (directory: string, retainBytes: number): SegmentLogOptions => ({
  directory,
  durability: "strict",
  segmentBytes: 250,
  retainBytes,
  retainMs: Infinity,
});

interface Outcome {
  readonly fault: Crash;
  /** Topics by the sequence they were acknowledged with. */
  readonly acknowledged: ReadonlyMap<number, string>;
  readonly refused: readonly string[];
  readonly reached: boolean;
  readonly call: string | undefined;
}

interface Crash extends Fault {
  /** How many events are appended behind the failure before the process ends. */
  readonly after: number;
}

/** Appends one event after the other while one call of the disk fails. */
async function appendWith(fault: Crash, settings: SegmentLogOptions): Promise<Outcome> {
  const { fs, calls } = createFaultyFileSystem(fault, unsyncedFileSystem);
  const acknowledged = new Map<number, string>();
  const refused: string[] = [];
  const outcome = (): Outcome => ({
    fault,
    acknowledged,
    refused,
    reached: calls.length > fault.at,
    call: calls[fault.at],
  });
  let log;
  try {
    log = openSegmentLog(fs, settings);
  } catch {
    // A log that does not open promises nothing.
    return outcome();
  }
  for (let n = 0, left = fault.after; n < EVENTS && left >= 0; n += 1) {
    const topic = `t.${n}`;
    try {
      acknowledged.set(await append(log, event(topic)), topic);
    } catch {
      // What was refused must not turn up later.
      refused.push(topic);
    }
    if (calls.length > fault.at) left -= 1;
  }
  return outcome();
}

/** What is wrong with the log when it is opened again; nothing when all is kept. */
async function problemsOf({ fault, acknowledged, refused }: Outcome, settings: SegmentLogOptions): Promise<string[]> {
  const log = openSegmentLog(unsyncedFileSystem, settings);
  const stored = await collect(log, log.oldest() - 1);
  const topics = new Map(stored.map(({ sequence, topic }) => [sequence, topic]));
  const gone = [...acknowledged].filter(
    ([sequence, topic]) => sequence >= log.oldest() && topics.get(sequence) !== topic,
  );
  // A disk that neither stores nor takes back, and is then cut off, keeps what nobody was promised.
  const ghosts = fault.calls === 1 ? refused.filter((topic) => [...topics.values()].includes(topic)) : [];
  const steady = stored.every(({ sequence }, index) => sequence === log.oldest() + index);
  const unread: number[] = [];
  for (const [index, { sequence }] of stored.entries()) {
    if ((await collect(log, sequence)).length !== stored.length - index - 1) unread.push(sequence);
  }
  const next = await append(log, event("t.next"));
  await log.close();
  return [
    ...gone.map(([sequence, topic]) => `${topic} was acknowledged as ${sequence} and is gone`),
    ...ghosts.map((topic) => `${topic} was refused and is there`),
    ...unread.map((sequence) => `reading on after ${sequence} misses something`),
    ...(steady ? [] : ["sequences have holes or repeat"]),
    ...(next > Math.max(0, ...acknowledged.keys()) ? [] : [`${next} is given out twice`]),
  ];
}

const CASES = [
  { errno: "ENOSPC", calls: 1 },
  { errno: "ENOSPC", calls: 2 },
  { errno: "ENOSPC", calls: 8 },
  { errno: "SHORT", calls: 1 },
] as const;

test.each(CASES)(
  "whenever $calls calls fail with $errno, a log that is cut off has what it acknowledged and nothing else",
  async ({ errno, calls }) => {
    const wrong: unknown[] = [];
    for (let at = 0, reached = true; reached; at += 1) {
      for (const [after, retainBytes] of [
        [0, Infinity],
        [1, Infinity],
        [2, 600],
        [EVENTS, 600],
      ] as const) {
        const settings = options(temporaryFolder(onTestFinished), retainBytes);
        const outcome = await appendWith({ at, errno, calls, after }, settings);
        const problems = await problemsOf(outcome, settings);
        if (problems.length > 0) wrong.push({ at, after, call: outcome.call, problems });
        reached = outcome.reached;
      }
    }
    expect(wrong).toEqual([]);
  },
);
