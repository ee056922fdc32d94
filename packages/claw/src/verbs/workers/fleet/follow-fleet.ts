import { setTimeout as delay } from "node:timers/promises";
import type { Orchestrator, Subscription } from "claw-client";
import type { FleetFact, FleetFile, FleetProgress, HarnessId } from "claw-contract";
import { advanceFleet, ClawError, isFleetOver, LIMITS, nextStarts, planFleet } from "claw-contract";
import { createItemQueue } from "../../agent/turns/item-queue.ts";
import { adopt, listWorkers } from "./known-workers.ts";
import { readFleetEvent } from "./read-fleet-event.ts";
import { fleetSpawn, isChecked } from "./fleet-spawn.ts";

export interface FleetCall {
  readonly file: FleetFile;
  readonly cwd: string;
  /** Agent of the workers for which the file names none. */
  readonly harness: HarnessId;
  readonly concurrency: number;
  readonly keepGoing: boolean;
  readonly fresh: boolean;
}

export const endedEarly = (fleet: string): ClawError =>
  new ClawError("BUS_UNREACHABLE", "the bus closed before the fleet was done", {
    operation: "run_fleet",
    target: fleet,
  });

/** Topics of the events about workers. */
const TOPICS = ["system.worker.*", "cmd.*.abort"];

/**
 * Makes a fact when an event leaves the queue, from the progress at that moment. With an older progress, events that
 * happen while a worker starts would be lost.
 */
type Telling = (progress: FleetProgress) => FleetFact | undefined;

const startPlan = ({ file, concurrency, keepGoing }: FleetCall): FleetProgress =>
  planFleet(
    file.workers.map((worker) => ({ name: worker.name, needs: worker.needs, checked: isChecked(file, worker) })),
    { concurrency, keepGoing },
  );

const reasonOf = (error: unknown): string =>
  error instanceof ClawError ? `${error.code}: ${error.message}` : String(error);

const isTaken = (error: unknown): boolean => error instanceof ClawError && error.code === "WORKER_NAME_TAKEN";

/** How often, and how many times, to look for a worker that another call is starting right now: set-up takes time. */
const TAKEN_MS = 200;
const TAKEN_LOOKS = (2 * LIMITS.worktreeCommandMs) / TAKEN_MS;

/**
 * Starts one worker. Events report the worker's progress. Returns facts only when the worker was not started, or when
 * another call for the same fleet started the worker first.
 */
async function startWorker(bus: Orchestrator, call: FleetCall, name: string): Promise<readonly Telling[]> {
  const { file, fresh } = call;
  const worker = file.workers.find((each) => each.name === name);
  if (worker === undefined) return [];
  const notStarted = (error: unknown): Telling[] => [() => ({ kind: "not_started", name, reason: reasonOf(error) })];
  for (let looks = 0; ; looks += 1) {
    try {
      await bus.request("worker.spawn", fleetSpawn(file, worker, call));
      return [];
    } catch (error) {
      if (!isTaken(error)) return notStarted(error);
      const known = await listWorkers(bus);
      const alone = { ...file, workers: [worker] };
      const found = adopt(known, { file: alone, fresh, isChecked: () => isChecked(file, worker) });
      if (found.length > 0) return found.map((fact) => () => fact);
      const isHeld = known.some((each) => each.name === name && !each.ended);
      if (isHeld || looks >= TAKEN_LOOKS) return notStarted(error);
      // Another call is starting the worker, and the daemon does not list the worker yet.
      await delay(TAKEN_MS);
    }
  }
}

async function openSubscriptions(bus: Orchestrator): Promise<Subscription[]> {
  const subscriptions = TOPICS.map((topic) => bus.subscribe(topic, { own: true }));
  await Promise.all(subscriptions.map((each) => each.ready()));
  return subscriptions;
}

/** Passes events on until the subscription ends. Rejects when the subscription fails. */
async function pump(subscription: Subscription, fleet: string, push: (telling: Telling) => void): Promise<void> {
  for await (const item of subscription) {
    if (item.kind === "event") push((progress) => readFleetEvent(item, progress, fleet));
  }
}

/** Sets the budget of the fleet when the fleet file names a budget. */
async function setBudget(bus: Orchestrator, { name, budget }: FleetFile): Promise<void> {
  if (budget !== undefined) await bus.request("budget.set", { scope: "fleet", target: name, budget });
}

/**
 * Starts each worker as soon as the worker may start, and yields the progress of the fleet after each fact. Ends when
 * the fleet is over. Throws when the bus ends before the fleet.
 */
export async function* followFleet(bus: Orchestrator, call: FleetCall): AsyncGenerator<FleetProgress, void, void> {
  const { file } = call;
  let progress = startPlan(call);
  const subscriptions = await openSubscriptions(bus);
  await setBudget(bus, file);
  const checked = new Set(progress.members.filter((each) => each.checked).map(({ name }) => name));
  const known = adopt(await listWorkers(bus), { file, fresh: call.fresh, isChecked: (name) => checked.has(name) });
  for (const fact of known) progress = advanceFleet(progress, fact);
  const queue = createItemQueue<Telling>();
  let failure: unknown;
  const fail = (error: unknown): void => {
    failure ??= error;
    queue.end();
  };
  for (const each of subscriptions) {
    pump(each, file.name, (telling) => queue.push(telling)).then(() => queue.end(), fail);
  }
  const startMore = (): void => {
    for (const name of nextStarts(progress)) {
      progress = advanceFleet(progress, { kind: "starting", name });
      startWorker(bus, call, name).then((tellings) => tellings.forEach((telling) => queue.push(telling)), fail);
    }
  };
  startMore();
  yield progress;
  if (!isFleetOver(progress)) {
    for await (const telling of queue) {
      const fact = telling(progress);
      if (fact === undefined) continue;
      progress = advanceFleet(progress, fact);
      startMore();
      yield progress;
      if (isFleetOver(progress)) break;
    }
  }
  subscriptions.forEach((each) => each.close());
  if (failure !== undefined) throw failure;
  if (!isFleetOver(progress)) throw endedEarly(file.name);
}
