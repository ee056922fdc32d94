import type { Orchestrator } from "claw-client";
import type { FleetFile, FleetMember, FleetProgress, VerbInput, VerbItem, VerbOutput, WorkerView } from "claw-contract";
import { ClawError, planFleet } from "claw-contract";
import { changedItems, show, showFleetItem, summaryLine } from "./fleet-lines.ts";
import type { FleetCall } from "./follow-fleet.ts";
import { endedEarly, followFleet } from "./follow-fleet.ts";
import { listWorkers } from "./known-workers.ts";
import { readFleetFile } from "./read-fleet-file.ts";
import type { Ports, VerbStream } from "../../runtime/handle.ts";
import { handle } from "../../runtime/handle.ts";
import { findDoor, joinAsOrchestrator, openOrchestrator } from "../../bus/open-bus.ts";
import { isOverBudget, listReached, reachedText } from "../reached-budgets.ts";
import { chooseHarness } from "../../runs/run-request.ts";
import { plural } from "../../text/text-layout.ts";

type Input = VerbInput<"fleet">;
type Output = VerbOutput<"fleet">;

function workerOf(member: FleetMember, known: readonly WorkerView[]): Output["workers"][number] {
  const view = known.find(({ peer_id }) => peer_id === member.peerId);
  const { name, peerId, status, state, adopted, reason } = member;
  const spent = {
    tokens: view?.tokens ?? 0,
    cost_usd: view?.cost_usd ?? 0,
    cost_estimated: view?.cost_estimated ?? false,
  };
  const { branch } = view?.worktree ?? {};
  const left = { branch: typeof branch === "string" ? branch : null, changes: view?.changes ?? null };
  const result = { status, state, completion: view?.completion ?? null, adopted, reason };
  return { name, peer_id: peerId, ...result, ...spent, ...left };
}

const MICRO = 1_000_000;

function fleetOutput(fleet: string, { members }: FleetProgress, known: readonly WorkerView[]): Output {
  const workers = members.map((member) => workerOf(member, known));
  const count = (status: string): number => workers.filter((worker) => worker.status === status).length;
  const sum = (field: "tokens" | "cost_usd"): number => workers.reduce((total, worker) => total + worker[field], 0);
  return {
    fleet,
    workers,
    done: count("done"),
    failed: count("failed"),
    skipped: count("skipped"),
    total_tokens: sum("tokens"),
    total_cost_usd: Math.round(sum("cost_usd") * MICRO) / MICRO,
    cost_estimated: workers.some((worker) => worker.cost_estimated),
    effect: workers.every(({ adopted }) => adopted) ? "noop" : "created",
  };
}

/** Lists the workers that would start, and the workers that each waits for. Sends no request to the daemon. */
function preview({ name, workers }: FleetFile): Output {
  const none = { concurrency: 1, keepGoing: false };
  const plan = planFleet(
    workers.map((worker) => ({ name: worker.name, needs: worker.needs, checked: false })),
    none,
  );
  const members = plan.members.map((member) => ({
    ...member,
    reason: member.needs.length === 0 ? "" : `after ${member.needs.join(", ")}`,
  }));
  return { ...fleetOutput(name, { ...plan, members }, []), effect: "would_create", would_affect: [] };
}

/**
 * Tells all running workers of the fleet to stop. Uses a new connection, because the first connection ended with the
 * call.
 */
async function abortAll(fleet: string, ports: Ports): Promise<void> {
  const { signal } = new AbortController();
  const bus = await joinAsOrchestrator(findDoor(ports), { ...ports, signal }, (client) => client.connectOrchestrator);
  try {
    const known = await listWorkers(bus);
    const running = known.filter((worker) => worker.fleet === fleet && !worker.ended);
    // A worker that ended in the meantime cannot be told to stop; the rejection does not matter.
    await Promise.allSettled(running.map(({ peer_id }) => bus.abort(peer_id, "the fleet was interrupted")));
  } finally {
    await bus.close();
  }
}

interface Broken {
  readonly error: unknown;
  readonly input: Input;
  readonly fleet: string;
  readonly progress: FleetProgress | undefined;
}

/**
 * Makes the error for a call that ended before the fleet. The error says whether the workers go on or were told to
 * stop, and how to go on with the fleet.
 */
async function explain({ error, input, fleet, progress }: Broken, ports: Ports): Promise<unknown> {
  const reason: unknown = ports.signal.aborted ? ports.signal.reason : error;
  if (!(reason instanceof ClawError)) return reason;
  const aborts = ports.signal.aborted && input.onInterrupt === "abort";
  if (aborts) await abortAll(fleet, ports);
  const what = aborts ? "The workers were told to stop" : "Workers that were started go on";
  return new ClawError(reason.code, reason.message, {
    ...reason.options,
    hint: `${what}: claw ps. Go on with the fleet: claw fleet ${input.file}`,
    ...(progress === undefined ? {} : { partial: fleetOutput(fleet, progress, []) }),
  });
}

/** Throws when workers failed or were skipped: BUDGET_EXCEEDED when a budget is reached, otherwise FLEET_FAILED. */
async function throwIfFailed(output: Output, bus: Orchestrator): Promise<void> {
  const { failed, skipped, workers, fleet } = output;
  if (failed + skipped === 0) return;
  const meant = { fleets: new Set([fleet]), workers: new Set<string>() };
  const reached = (await listReached(bus))
    .filter((budget) => isOverBudget(budget, meant))
    .map((each) => reachedText(each));
  const names = (status: string): string =>
    workers
      .filter((worker) => worker.status === status)
      .map(({ name }) => name)
      .join(", ");
  const parts = [
    ...(failed > 0 ? [`${plural(failed, "worker")} failed: ${names("failed")}`] : []),
    ...(skipped > 0 ? [`${plural(skipped, "worker")} skipped: ${names("skipped")}`] : []),
  ];
  throw new ClawError(reached.length > 0 ? "BUDGET_EXCEEDED" : "FLEET_FAILED", [...reached, ...parts].join("; "), {
    operation: "run_fleet",
    target: output.fleet,
    partial: output,
  });
}

async function* run(input: Input, ports: Ports): VerbStream<"fleet"> {
  const file = await readFleetFile(input.file, ports.cwd);
  if (input.dryRun) return preview(file);
  const { keepGoing, fresh, concurrency = file.concurrency } = input;
  const harness = chooseHarness("auto", ports.env, ports.cwd);
  const call: FleetCall = { file, cwd: ports.cwd, harness, concurrency, keepGoing, fresh };
  const shown = new Map<string, VerbItem<"fleet">>();
  let progress: FleetProgress | undefined;
  const bus = await openOrchestrator(ports);
  try {
    ports.announce(`Following the fleet ${file.name}; ${ON_INTERRUPT[input.onInterrupt]}.`);
    for await (progress of followFleet(bus, call)) {
      yield* changedItems(progress, shown);
      ports.live?.show(summaryLine(progress));
    }
    if (progress === undefined) throw endedEarly(file.name);
    const output = fleetOutput(file.name, progress, await listWorkers(bus));
    await throwIfFailed(output, bus);
    return output;
  } catch (error) {
    if (error instanceof ClawError && error.options.partial !== undefined) throw error;
    throw await explain({ error, input, fleet: file.name, progress }, ports);
  } finally {
    await bus.close();
  }
}

const ON_INTERRUPT = {
  leave: "Ctrl-C leaves its workers running",
  abort: "Ctrl-C stops its workers",
} as const;

export const handler = handle("fleet", { run, showItem: showFleetItem, show });
