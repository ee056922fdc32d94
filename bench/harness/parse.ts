import { sizeOf } from "../effort.ts";
import { createRunReader, HARNESSES } from "../../packages/claw/src/harness/index.ts";
import type { Timings } from "../measure.ts";
import { interleave, median } from "../measure.ts";
import type { Bar, Progress, Row } from "../suite.ts";
import { row } from "../suite.ts";
import type { Stream } from "./streams.ts";
import { recordedStreams, shortStreams } from "./streams.ts";

const STREAM_BYTES = sizeOf(200e6, 1e6);
const ROUNDS = sizeOf(7, 1);

/** The least that reading a stream of JSON lines costs. Returns how many objects there were. */
export function parseBare(stream: Stream): number {
  const decoder = new TextDecoder();
  let rest = "";
  let count = 0;
  for (const chunk of stream.chunks()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (JSON.parse(line) !== null) count += 1;
  }
  return count;
}

/** Reads as `claw run` and workers do; with the events in the result as `claw run --include-events` does. */
function parseAndTranslate(stream: Stream, includesEvents: boolean): number {
  const reader = createRunReader(HARNESSES[stream.harness], { includesEvents });
  for (const chunk of stream.chunks()) reader.push(chunk);
  const evidence = { exitCode: 0, signal: null, stderr: "", ended: "by-itself", durationMs: 0 } as const;
  return reader.finish(evidence).raw_messages_count;
}

async function parseRows(stream: Stream, bar: Bar, progress: Progress): Promise<Row[]> {
  const [bareCount, ownCount] = [parseBare(stream), parseAndTranslate(stream, false)];
  if (bareCount !== ownCount) throw new Error(`${stream.name}: ${ownCount} of ${bareCount} objects were read`);
  const timings = await interleave(
    {
      bare: async () => parseBare(stream),
      own: async () => parseAndTranslate(stream, false),
      whole: async () => parseAndTranslate(stream, true),
    },
    ROUNDS,
    (text) => progress(`${stream.name}: ${text}`),
  );
  const ratioOf = (times: Timings): number =>
    median(timings.bare.map((bareMs, round) => bareMs / (times[round] ?? Number.NaN)));
  const megabytes = (ms: number): number => stream.bytes / 1e6 / (ms / 1000);
  return [
    row(`${stream.name}, split and JSON.parse`, megabytes(median(timings.bare)), "MB/s"),
    row(`${stream.name}, parse and translate`, megabytes(median(timings.own)), "MB/s"),
    row(`${stream.name}, parse and translate`, ratioOf(timings.own), "× split and JSON.parse", bar),
    row(`${stream.name}, the same with events in the result`, ratioOf(timings.whole), "× split and JSON.parse"),
  ];
}

/** How fast streams are understood, against how fast they can be parsed at all. */
export async function parseSuite(progress: Progress): Promise<Row[]> {
  const contests: readonly (readonly [Stream, Bar])[] = [
    ...recordedStreams(STREAM_BYTES).map((stream) => [stream, { atLeast: 0.7 }] as const),
    ...shortStreams(STREAM_BYTES).map((stream) => [stream, { atLeast: 0.65 }] as const),
  ];
  const rows: Row[] = [];
  for (const [stream, bar] of contests) rows.push(...(await parseRows(stream, bar, progress)));
  return rows;
}
