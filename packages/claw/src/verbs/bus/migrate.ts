import type { VerbInput, VerbItem, VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import type { DaemonOptions, MigrationStep, Moved } from "../../daemon/index.ts";
import { loadMigration } from "../../daemon/index.ts";
import type { Ports, VerbStream } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import type { Paint } from "../runtime/paint.ts";
import { plural } from "../text/text-layout.ts";
import { clusterOf } from "./up/cluster-options.ts";

type Input = VerbInput<"bus migrate">;
type Item = VerbItem<"bus migrate">;
type Output = VerbOutput<"bus migrate">;
type Cluster = NonNullable<DaemonOptions["cluster"]>;

/** Pause between two reports of progress. */
const REPORT_MS = 2000;

/** The cluster that a call names. Throws INVALID_FLAG_VALUE when a call names none and needs one, or names one for nothing. */
function clusterFor(input: Input, ports: Ports): Cluster | undefined {
  const named = input.bus ?? input.cluster;
  if (input.to === "old-log") {
    if (named === undefined) return undefined;
    throw new ClawError("INVALID_FLAG_VALUE", "--to old-log takes no cluster: it changes this folder alone", {
      operation: "read_flags",
      target: input.bus === undefined ? "--cluster" : "--bus",
    });
  }
  const { cluster } = clusterOf(input, ports);
  if (cluster !== undefined) return cluster;
  throw new ClawError("INVALID_FLAG_VALUE", `--to ${input.to} needs the address of NATS: --bus nats://HOST`, {
    operation: "read_flags",
    target: "--bus",
    hint: "Name the servers with --bus, CLAW_BUS, or bus.url in the settings.",
  });
}

/** Reports of a work that goes on meanwhile. */
class Reports {
  #next: Item | undefined;
  #at = performance.now();
  #wake: () => void = () => undefined;

  readonly progress = (step: MigrationStep, done: number, last: number): void => {
    if (performance.now() - this.#at < REPORT_MS) return;
    this.#at = performance.now();
    this.#next = { type: "progress", step, done, last };
    this.#wake();
  };

  /** Yields what is reported until the work has ended. */
  async *during<T>(work: Promise<T>): AsyncGenerator<Item, T, void> {
    const state = { isOver: false };
    const over = (): void => {
      state.isOver = true;
      this.#wake();
    };
    work.then(over, over);
    while (!state.isOver) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
      const item = this.#next;
      this.#next = undefined;
      if (item !== undefined) yield item;
    }
    return work;
  }
}

async function* run(input: Input, ports: Ports): VerbStream<"bus migrate"> {
  const { to, dryRun } = input;
  const { cwd, files: fs, signal } = ports;
  const cluster = clusterFor(input, ports);
  const { preview, toStream, toFolder, toOldLog } = await loadMigration();
  const reports = new Reports();
  const call = { fs, cwd, signal, progress: reports.progress };
  if (dryRun) {
    const { would_affect, ...planned } = await preview(to, call, cluster);
    return { to, ...planned, would_affect: [...would_affect] };
  }
  const begin = (): Promise<Moved> => {
    if (cluster === undefined) return toOldLog(call);
    return to === "stream" ? toStream(call, cluster) : toFolder(call, cluster);
  };
  return { to, ...(yield* reports.during(begin())) };
}

const STEPS = { read: "read", copy: "copied", verify: "compared" } as const;

const showProgress = ({ step, done, last }: Item): string => `${STEPS[step]} up to event ${done} of ${last}`;

function nextSteps({ to, cluster, kept, cursors }: Output, paint: Paint): string[] {
  const readers = cursors === "gap" ? ["Readers of the log are told of a gap, and begin at its oldest event."] : [];
  if (to === "stream") {
    return [
      ...readers,
      `The old log stays in ${kept}`,
      `start  ${paint.cyan("claw up --bus …")} with the same flags`,
      `back   ${paint.cyan(`claw bus migrate --to folder --bus … --cluster ${String(cluster)}`)}`,
    ];
  }
  const old = to === "folder" ? [`What was here before stays in ${kept}`] : [];
  return [...readers, ...old, `start  ${paint.cyan("claw up")}`];
}

const placeOf = ({ to, cluster }: Output, paint: Paint): string =>
  to === "stream" ? `the stream of ${paint.bold(String(cluster))}` : "this folder";

function show(output: Output, paint: Paint): string {
  const { to, events, first, last, copied, holes, effect } = output;
  const log = `${plural(events, "event")} (${first} to ${last})`;
  const place = placeOf(output, paint);
  const isOld = to === "old-log";
  if (effect === "noop") return `Nothing to do: the log is in ${place}, ${log}`;
  if (effect.startsWith("would_")) {
    return isOld
      ? `Would go on with the old log: ${log}`
      : `Would move the log into ${place}: ${log}, ${copied} to copy`;
  }
  const done = isOld ? `The old log is in use again: ${log}` : `Moved the log into ${place}: ${log}`;
  const lost = holes === 0 ? [] : [`${plural(holes, "event")} could not be read; system.log.hole stands for each`];
  return [done, ...lost, ...nextSteps(output, paint)].join("\n");
}

export const handler = handle("bus migrate", { run, showItem: showProgress, show });
