import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { median } from "../measure.ts";
import type { Progress, Row } from "../suite.ts";
import { row } from "../suite.ts";
import { measurePaced, percentile } from "./latency.ts";
import type { Server } from "./server.ts";
import { startServer } from "./server.ts";
import { SIZES } from "./sizes.ts";
import { stalledReader } from "./stalled-reader.ts";
import { closeLoad, openLoad } from "./throughput.ts";

const execute = promisify(execFile);

interface Pass {
  readonly seconds: number;
  readonly lines: number;
}

/** Runs one of the small programs beside this file to its end. */
async function runProgram(name: string, ...args: string[]): Promise<Pass> {
  const program = fileURLToPath(new URL(name, import.meta.url));
  const { stdout } = await execute(process.execPath, ["--max-old-space-size=4096", program, ...args]);
  return JSON.parse(stdout) as Pass;
}

const logOf = (server: Server): string => join(server.folder, ".claws", "log");
const parse = (server: Server, times = "1"): Promise<Pass> => runProgram("parse-log.mjs", logOf(server), times);
const replay = (server: Server): Promise<Pass> => runProgram("replay-log.mjs", server.socket);

async function replayRows(server: Server, progress: Progress): Promise<Row[]> {
  const ratios: number[] = [];
  const rates: number[] = [];
  progress("replaying from disk, and parsing the same files");
  for (let round = 0; round < 3; round += 1) {
    const parsed = await parse(server);
    const replayed = await replay(server);
    const rate = replayed.lines / replayed.seconds;
    rates.push(rate);
    ratios.push(rate / (parsed.lines / parsed.seconds));
  }
  return [
    row("replay from disk", median(rates), "events/s"),
    row("replay from disk", median(ratios), "× parsing the same files", { atLeast: 0.9 }),
  ];
}

/** Live latency beside something that goes on until the time is over, again and again if it is short. */
async function livePercentile(server: Server, beside: () => Promise<unknown>): Promise<number> {
  const load = await openLoad(server, 1);
  const endsAt = performance.now() + SIZES.liveMs;
  const going = (): boolean => performance.now() < endsAt;
  const work = async (): Promise<void> => {
    while (going()) await beside();
  };
  const [times] = await Promise.all([measurePaced(load, { perSecond: 1000, going }), work()]);
  closeLoad(load);
  return percentile(times, 0.99);
}

async function liveRows(claw: Server, relay: Server, progress: Progress): Promise<Row[]> {
  progress("1,000 events a second beside a replay");
  const ratios: number[] = [];
  const ms: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const bare = await livePercentile(relay, () => parse(claw));
    const live = await livePercentile(claw, () => replay(claw));
    ms.push(live);
    ratios.push(live / bare);
  }
  const name = "live p99 at 1,000 events/s beside a replay";
  return [row(name, median(ms), "ms"), row(name, median(ratios), "× relay beside a parser", { atMost: 2 })];
}

/** What a long log costs whoever reads it, whoever does not, and whoever stands beside. */
export async function history(folder: string, progress: Progress): Promise<Row[]> {
  const claw = await startServer("relaxed", folder);
  const relay = await startServer("relay", folder);
  const control = await startServer("relaxed", folder);
  try {
    const stalled = await stalledReader(claw, control, progress);
    await control.stop();
    return [...stalled, ...(await replayRows(claw, progress)), ...(await liveRows(claw, relay, progress))];
  } finally {
    await Promise.all([claw.stop(), relay.stop(), control.stop()]);
  }
}
