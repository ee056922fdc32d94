import { median } from "../measure.ts";
import type { Bar, Row } from "../suite.ts";
import { row } from "../suite.ts";

/** What workers cost while nobody asks for them. */
export interface Load {
  /** Processor seconds in a second, of each daemon. */
  readonly daemonCpu: readonly number[];
  readonly serverCpu: number;
  readonly daemonBytes: readonly number[];
  /** Events of the whole cluster. */
  readonly eventsPerSecond: number;
  /** In the stream. */
  readonly bytesPerEvent: number;
  readonly latestMs: number;
}

/** What was measured with one number of workers. */
export interface Step extends Load {
  readonly workers: number;
  /** A process of `claw ps`. */
  readonly listMs: readonly number[];
  /** The request that `claw ps` makes, on an open connection. */
  readonly requestMs: readonly number[];
}

interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly valueOf: (step: Step) => number;
  /** Holds for the most workers. */
  readonly bar?: Bar;
  /** Name of the plot that the figure stands in. */
  readonly plot?: string;
}

/** The daemon that needs most: no machine may need more than the others for the same number of workers. */
export const most = (values: readonly number[]): number => Math.max(...values);

const FIGURES: readonly Figure[] = [
  { name: "events of the cluster", unit: "events/s", valueOf: (step) => step.eventsPerSecond },
  {
    name: "busiest of 3 daemons",
    unit: "% of a core",
    valueOf: (step) => most(step.daemonCpu) * 100,
    plot: "cluster-workers",
  },
  { name: "nats-server", unit: "% of a core", valueOf: (step) => step.serverCpu * 100, plot: "cluster-workers" },
  { name: "memory of the largest of 3 daemons", unit: "MB", valueOf: (step) => most(step.daemonBytes) / 1e6 },
  { name: "stored for an event", unit: "bytes", valueOf: (step) => step.bytesPerEvent },
  { name: "worker.list on an open connection", unit: "ms", valueOf: (step) => median(step.requestMs) },
  { name: "claw ps", unit: "ms", valueOf: (step) => median(step.listMs), bar: { atMost: 300 } },
];

export const COUNTS = "workers";
/** The fleet whose needs are calculated. */
const LARGE = 100_000;
const DAY_SECONDS = 86_400;

export const grouped = (count: number): string => count.toLocaleString("en");

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

interface Line {
  /** What is counted across. */
  readonly x: (step: Step) => number;
  readonly y: (step: Step) => number;
}

/** How much more one more costs, between the fewest and the most workers. */
function slopeOf(steps: readonly Step[], { x, y }: Line): number {
  const [first, last] = [steps[0], steps.at(-1)];
  return first === undefined || last === undefined ? Number.NaN : (y(last) - y(first)) / (x(last) - x(first));
}

/** What one event and one worker cost, and what follows from that for many workers in one stream. */
function calculated(steps: readonly Step[]): Row[] {
  const [first] = steps;
  if (first === undefined) return [];
  const rate = (step: Step): number => step.eventsPerSecond;
  const daemonCpu = (step: Step): number => mean(step.daemonCpu);
  const bytes = (step: Step): number => mean(step.daemonBytes);
  const ofDaemon = slopeOf(steps, { x: rate, y: daemonCpu });
  const ofServer = slopeOf(steps, { x: rate, y: (step) => step.serverCpu });
  const ofWorker = slopeOf(steps, { x: (step) => step.workers, y: bytes });
  const last = steps.at(-1) ?? first;
  const events = (LARGE / last.workers) * rate(last);
  const stored = last.bytesPerEvent * events * DAY_SECONDS;
  const large = `calculated: ${grouped(LARGE)} ${COUNTS} in one stream`;
  return [
    row("an event, each of 3 daemons", ofDaemon * 1e6, "µs"),
    row("an event, nats-server", ofServer * 1e6, "µs"),
    row("a worker, memory of a daemon", ofWorker / 1024, "KB"),
    row(`${large}, events of the cluster`, events, "events/s"),
    row(`${large}, each of 3 daemons`, (daemonCpu(first) + ofDaemon * (events - rate(first))) * 100, "% of a core"),
    row(`${large}, nats-server`, (first.serverCpu + ofServer * (events - rate(first))) * 100, "% of a core"),
    row(`${large}, memory of a daemon`, (bytes(first) + ofWorker * (LARGE - first.workers)) / 1e6, "MB"),
    row(`${large}, stored in a day`, stored / 1e9, "GB"),
  ];
}

/** Each figure at each number of workers. */
const measured = (steps: readonly Step[]): Row[] =>
  FIGURES.flatMap(({ name, unit, valueOf, bar, plot }) =>
    steps.map((step) => {
      const isLast = step === steps.at(-1);
      const made = row(`${grouped(step.workers)} ${COUNTS}, ${name}`, valueOf(step), unit, isLast ? bar : undefined);
      return plot === undefined ? made : { ...made, point: { plot, counts: COUNTS, line: name, x: step.workers } };
    }),
  );

export const crowdRows = (steps: readonly Step[]): Row[] => [...measured(steps), ...calculated(steps)];
