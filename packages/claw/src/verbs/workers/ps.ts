import type { EventItem, Observer } from "claw-client";
import type { VerbInput, VerbItem, VerbOutput, WorkerView } from "claw-contract";
import type { WorkerStateChanged } from "claw-contract/schemas";
import { ClawError, ENDED_STATES, LIMITS } from "claw-contract";
import { findDaemon } from "../../daemon/index.ts";
import type { Ports, VerbStream } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import { openObserver } from "../bus/open-bus.ts";
import type { Paint } from "../runtime/paint.ts";
import type { Span } from "../runtime/screen.ts";
import type { ReachedBudget } from "./reached-budgets.ts";
import { isOverBudget, listReached, reachedIn } from "./reached-budgets.ts";
import { localTime } from "../text/times.ts";
import type { Row } from "./worker-table.ts";
import { workerTable } from "./worker-table.ts";
import { endlessAnswer } from "../bus/ask-bus.ts";

type Input = VerbInput<"ps">;
type Output = VerbOutput<"ps">;
type Item = VerbItem<"ps">;

/** Whether a worker belongs to the fleet that the caller named. */
const fitsFleet = ({ fleet }: Input, worker: Pick<WorkerView, "fleet">): boolean =>
  fleet === undefined || worker.fleet === fleet;

/** With `--all` or `--state`, no worker ended too long ago to be shown. */
const showsOld = ({ all, state }: Input): boolean => all || state !== undefined;

/** Whether a worker ended too long ago to be shown. An older daemon lists these workers too. */
const isOld = (input: Input, worker: WorkerView, nowMs: number): boolean =>
  !showsOld(input) && ENDED_STATES.has(worker.state) && nowMs - Date.parse(worker.as_of) > LIMITS.endedShownMs;

/** The fields with which workers are asked for. */
const askedFor = (input: Input) => ({
  ...(input.fleet === undefined ? {} : { fleet: input.fleet }),
  ...(showsOld(input) ? {} : { endedWithinMs: LIMITS.endedShownMs }),
});

interface Found {
  readonly workers: readonly WorkerView[];
  readonly hidden: number;
  readonly machine?: string | undefined;
  readonly reached: readonly ReachedBudget[];
  readonly nowMs: number;
}

async function listWorkers(bus: Observer, input: Input): Promise<Output> {
  // Both go out at once, as soon as the bus has answered the hello. Serves the row `claw ps`.
  const [{ workers, hidden = 0, machine }, reached] = await Promise.all([
    bus.request("worker.list", askedFor(input)),
    listReached(bus),
  ]);
  return answerOf(input, { workers, hidden, reached, machine, nowMs: Date.now() });
}

function answerOf(input: Input, { workers, hidden, reached, machine, nowMs }: Found): Output {
  const everybody = workers.filter((worker) => fitsFleet(input, worker));
  const meant = everybody.filter(({ state }) => input.state?.includes(state) ?? true);
  const shown = meant.filter((worker) => !isOld(input, worker, nowMs));
  const fleets = new Set(shown.flatMap((worker) => worker.fleet ?? []));
  const meantBy = { fleets, workers: new Set(shown.map(({ peer_id: id }) => id)) };
  return {
    workers_count: shown.length,
    waiting_count: shown.filter(({ state }) => state === "needs_input").length,
    hidden_count: hidden + meant.length - shown.length,
    ...(machine === undefined ? {} : { machine }),
    workers: shown,
    budgets_reached: reached.filter((budget) => isOverBudget(budget, meantBy)),
  };
}

/** Lists the workers as they were at a moment. */
async function listAt(bus: Observer, input: Input, ports: Ports): Promise<Output> {
  const { momentText } = await import("./show-moment.ts");
  const moment = await momentText(bus, { at: input.at ?? "", ...askedFor(input) }, ports);
  const { workers, hidden, budgets, cursor, ts, oldest } = moment;
  const reached = reachedIn(budgets);
  const { machine } = findDaemon(ports.cwd)?.cluster ?? {};
  const shown = { workers, hidden, reached, machine, nowMs: Date.parse(ts) };
  return { ...answerOf(input, shown), at: { cursor, ts, oldest } };
}

const watchedMoment = (): ClawError =>
  new ClawError("INVALID_FLAG_VALUE", "--at shows a moment that is over, and --watch follows the present", {
    operation: "parse_arguments",
    target: "--at",
    hint: "Use one of the two.",
  });

function changeItem({ data, cursor }: EventItem, name: string): Item {
  const { peerId, ts: _ts, until = null, evidence = null, ...said } = data as WorkerStateChanged;
  return { type: "state", peer_id: peerId, name, ...said, until, evidence, cursor };
}

/** Yields all workers, then every change of a state, until the caller stops. */
async function* followStates(bus: Observer, input: Input, { signal, announce }: Ports): VerbStream<"ps"> {
  const subscription = bus.subscribe("system.worker.state");
  await subscription.ready();
  announce("Following all workers; Ctrl-C ends it.");
  let output = await listWorkers(bus, input);
  for (const worker of output.workers) yield { type: "worker", ...worker };
  const known = new Map(output.workers.map((worker) => [worker.peer_id, worker]));
  for await (const item of subscription) {
    if (item.kind !== "event") continue;
    const { peerId, state } = item.data as WorkerStateChanged;
    if (!known.has(peerId)) {
      output = await listWorkers(bus, { ...input, all: true, state: undefined });
      for (const worker of output.workers) known.set(worker.peer_id, worker);
    }
    const worker = known.get(peerId);
    if (worker === undefined || input.state?.includes(state) === false) continue;
    yield changeItem(item, worker.name);
  }
  signal.throwIfAborted();
  return listWorkers(bus, input);
}

async function* run(input: Input, ports: Ports): VerbStream<"ps"> {
  if (input.watch && input.at !== undefined) throw watchedMoment();
  if (input.watch && !ports.streaming) throw endlessAnswer("--watch");
  const bus = await openObserver(ports);
  try {
    if (input.at !== undefined) return await listAt(bus, input, ports);
    if (!input.watch) return await listWorkers(bus, input);
    if (ports.openScreen === null) return yield* followStates(bus, input, ports);
    const { watchWorkers } = await import("./watch-workers.ts");
    return await watchWorkers({ bus, look: () => listWorkers(bus, input), openScreen: ports.openScreen }, ports.signal);
  } finally {
    await bus.close();
  }
}

const paintSpan = ({ text, styles = [] }: Span, paint: Paint): string =>
  styles.reduce(
    (painted, style) => (style === "italic" || style === "underline" ? painted : paint[style](painted)),
    text,
  );

/** The time from which ages are counted. */
const shownAt = ({ at }: Output): number => (at === undefined ? Date.now() : Date.parse(at.ts));

/** Says which moment the table shows. */
const momentRows = ({ at }: Output): Row[] =>
  at === undefined ? [] : [[{ text: `At ${localTime(at.ts)}, after event ${at.cursor}:`, styles: ["dim"] }]];

export const handler = handle("ps", {
  run,
  showItem: (item, paint) => {
    const since = typeof item["previous"] === "string" ? `${item["previous"]} → ` : "";
    return `${paint.dim(item.as_of)}  ${paint.cyan(item.name)}  ${since}${item.state}  ${item.reason}`;
  },
  show: (output, paint) =>
    [...momentRows(output), ...workerTable(output, paint.columns, shownAt(output))]
      .map((row) =>
        row
          .map((span) => paintSpan(span, paint))
          .join("")
          .trimEnd(),
      )
      .join("\n"),
});
