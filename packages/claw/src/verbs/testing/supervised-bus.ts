import type { EventItem } from "claw-client";
import { foldWorkers } from "claw-client";
import type { WorkerView } from "claw-contract";
import { ENDED_STATES, judgeWait } from "claw-contract";
import type { WorkerSpawned } from "claw-contract/schemas";
import { fieldsOf, parsePayload } from "../../bus/index.ts";
import type { BusHarness, Frame, Joined } from "../../bus/testing/bus-harness.ts";
import { join, request, settle } from "../../bus/testing/bus-harness.ts";
import { spawnedEvent } from "../../daemon/testing/spawned-event.ts";
import { NOT_STARTED, startSupervisedBus } from "../../daemon/testing/supervised-bus.ts";

export interface Scene {
  readonly harness: BusHarness;
  readonly boss: Joined;
  readonly worker: Joined;
}

export const NAME = "lexer";
const BOOT: Frame = { model: "m", role: "worker", mission_summary: "x", cwd: "/", terminal_id: "" };

export const say = ({ worker: { client, id } }: Scene, action: string, payload: Frame): Promise<Frame> =>
  request(client, { cmd: "publish", topic: `worker.${id}.${action}`, payload });

/** Stores an event of the server about the worker. */
export async function tell({ harness, worker }: Scene, topic: string, payload: Frame): Promise<void> {
  const event = { topic, payload: { peerId: worker.id, ts: harness.bus.host.timestamp(), ...payload } };
  harness.bus.host.publish([event], () => undefined);
  await settle();
}

/** Lets time pass, and everything happen that is due then. */
export async function pass({ harness }: Scene, ms: number): Promise<void> {
  harness.clock.now += ms;
  harness.bus.checkDue();
  await settle();
}

/** A worker at work that has spent money and asks a question. With `started`, the daemon knows its process. */
export async function openScene(started?: Partial<WorkerSpawned>): Promise<Scene> {
  const harness = await startSupervisedBus();
  const boss = await join(harness, "orchestrator", { capabilities: ["receipts"] });
  const scene = { harness, boss, worker: await join(harness, "worker", { peerName: NAME }) };
  if (started !== undefined) await tell(scene, "system.worker.spawned", { ...spawnedEvent(scene.worker.id, started) });
  await say(scene, "boot", BOOT);
  await say(scene, "phase", { phase: "PLAN", prev: null, transition_reason: "begin", phases_completed: [] });
  await say(scene, "heartbeat", { current_phase: "PLAN", time_in_phase_ms: 0, tokens_used: 5, cost_usd: 1 });
  await say(scene, "event", { kind: "REQUEST", severity: "info", message: "which?", request_id: "r1" });
  return scene;
}

/** All events in the log, as the SDK gives them. */
async function eventsIn({ log }: BusHarness): Promise<EventItem[]> {
  const { events } = await log.read(0);
  return events.map(({ topic, from, sequence, payload: text }) => {
    const payload = parsePayload(text);
    const place = { cursor: `0001:${sequence}`, storedAtMs: 0, envelope: null };
    return { kind: "event", topic, from, sequence, ...place, payload, data: fieldsOf(payload) };
  });
}

/** What every part of claw says of the worker. The budget is lowered, and commands and a start are tried. */
export async function observe({ harness, boss, worker }: Scene): Promise<Frame> {
  const { id } = worker;
  const { client } = boss;
  const { workers } = (await request(client, { cmd: "worker.list" })) as { workers: WorkerView[] };
  const view = workers.find(({ peer_id: peerId }) => peerId === id);
  if (view === undefined) throw new Error("the worker is not listed");
  const found = await request(client, { cmd: "worker.find", target: id });
  const order = await request(client, { cmd: "publish", topic: `cmd.${id}.pause`, payload: {} });
  const asked = (await request(client, { cmd: "approval.list" })) as { approvals: unknown[] };
  const spawn = { cmd: "worker.spawn", harness: "claw", mission: "x", name: NAME };
  const start = await request(client, spawn);
  await request(client, { cmd: "budget.set", scope: "worker", target: id, budget: { usd: 0.5 } });
  await settle();
  const events = await eventsIn(harness);
  const stopped = events.findLast(({ topic }) => topic === "system.budget.exceeded")?.data as Frame;
  return {
    state: view.state,
    isListedAsEnded: view.ended,
    isFoundAsEnded: found["ended"],
    isNameFree: start["code"] === NOT_STARTED,
    command: order["code"] ?? "accepted",
    openApprovals: asked.approvals.length,
    maySpend: (stopped["stopped"] as string[]).includes(id),
    isWaitOver: judgeWait(view, "complete").kind !== "waiting",
    isLogOver: ENDED_STATES.has(view.state),
    sdk: events.reduce(foldWorkers, new Map()).get(id)?.state,
  };
}
