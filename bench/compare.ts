import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { measureSingles, percentile } from "./bus/latency.ts";
import { startServer } from "./bus/server.ts";
import { SIZES, WINDOW } from "./bus/sizes.ts";
import { closeLoad, measureThroughput, openLoad } from "./bus/throughput.ts";
import { runClaw } from "./child.ts";
import { sizeOf } from "./effort.ts";
import { buildRevision, removeRevision } from "../scripts/build-revision.ts";
import { median, timeMs } from "./measure.ts";
import type { Progress, Row } from "./suite.ts";
import { row } from "./suite.ts";
import { withTempFolder } from "./temp-folder.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BINARY = join("packages", "claw", "bin", "claw.cjs");
const ROUNDS = sizeOf(15, 3);

/** Measures one figure of a build once. More is slower. */
type Measure = () => Promise<number>;

/** The same figures of one build, by name. */
interface Build {
  readonly figures: Readonly<Record<string, Measure>>;
  close(): Promise<void>;
}

async function openBuild(binary: string, folder: string): Promise<Build> {
  const loads = {
    strict: await openLoad(await startServer("strict", folder, { binary }), 1),
    relaxed: await openLoad(await startServer("relaxed", folder, { binary }), 1),
  };
  const start =
    (args: readonly string[]): Measure =>
    () =>
      timeMs(() => runClaw(args, { cwd: folder }, binary));
  const publish =
    (kind: keyof typeof loads): Measure =>
    async () => {
      const { perSecond } = await measureThroughput(loads[kind], SIZES.events, WINDOW);
      return 1e6 / perSecond;
    };
  return {
    figures: {
      [`window ${WINDOW}, strict`]: publish("strict"),
      [`window ${WINDOW}, relaxed`]: publish("relaxed"),
      "one at a time, p50": async () => percentile(await measureSingles(loads.relaxed, SIZES.singles), 0.5),
      "claw list-sessions": start(["list-sessions", "--output-format", "json"]),
      "claw help": start(["help"]),
      "claw status": start(["status"]),
    },
    close: async () => {
      for (const load of Object.values(loads)) {
        closeLoad(load);
        await load.server.stop();
      }
    },
  };
}

/** How far the quotients of single rounds lie from their median, for the median of all of them. */
function noiseOf(quotients: readonly number[]): number {
  const middle = median(quotients);
  return (2 * median(quotients.map((each) => Math.abs(each - middle)))) / Math.sqrt(quotients.length);
}

/** A figure that became slower by more than its noise misses its bar. */
async function compareFigure(name: string, [now, then]: readonly [Measure, Measure]): Promise<Row> {
  const quotients: number[] = [];
  await now();
  await then();
  for (let round = 0; round < ROUNDS; round += 1) {
    const [first, second] = round % 2 === 0 ? [now, then] : [then, now];
    const [one, other] = [await first(), await second()];
    quotients.push(round % 2 === 0 ? one / other : other / one);
  }
  const atMost = Number((1 + Math.max(0.02, noiseOf(quotients))).toFixed(2));
  return row(name, median(quotients), "× the time before", { atMost });
}

/** Measures this build beside that of another revision, in turns. */
export function compare(revision: string, progress: Progress): Promise<Row[]> {
  return withTempFolder(async (folder) => {
    progress(`building ${revision}`);
    const before = join(folder, "before");
    const builds: Build[] = [];
    try {
      buildRevision(revision, before);
      for (const path of [join(ROOT, BINARY), join(before, BINARY)]) builds.push(await openBuild(path, folder));
      const [now, then] = builds as [Build, Build];
      const rows: Row[] = [];
      for (const [name, measure] of Object.entries(now.figures)) {
        progress(name);
        rows.push(await compareFigure(name, [measure, then.figures[name] ?? measure]));
      }
      return rows;
    } finally {
      for (const build of builds) await build.close();
      removeRevision(before);
    }
  });
}
