import { LIMITS } from "claw-contract";
import {
  BUDGET_EVENTS,
  EVENTS,
  publishersOf,
  schemaForTopic,
  SUPERVISION_EVENTS,
  TICKET_EVENTS,
} from "claw-contract/schemas";
import { expect, test } from "vitest";
import type { EventLog, StoredEvent } from "./log/index.ts";
import type { BusHarness, Frame } from "./testing/bus-harness.ts";
import { join, request, settle, startBus } from "./testing/bus-harness.ts";

/** Told by terminals and their owner, by workers' processes, or passed on without being stored. */
const NOT_WRITTEN_HERE =
  /^(vehicle|command)-|^rpc-request-|^system-(log-hole|typing|command-held|heartbeat|metrics|peer-metrics)-|^terminal-alive-|^lifecycle-taken-over-/;
/** What peers say, which the server may relay. */
const SAID_BY_PEERS = /^cmd-(?!ack-)|^wave-(event|lead-complete)-/;

const isServers = ({ topic, from }: StoredEvent): boolean =>
  from === "server" || topic === "system.broadcast" || topic.endsWith(".ack");

/** The schemas of what the server wrote; topics where there is none. */
async function writtenTo(log: EventLog): Promise<Set<string>> {
  const names = new Set<string>();
  for (let after = 0; ;) {
    const { events, through } = await log.read(after);
    if (events.length === 0) return names;
    for (const { topic } of events.filter(isServers)) names.add(schemaForTopic(topic)?.name ?? topic);
    after = through;
  }
}

/** Those that whoever owns the bus writes through it. */
const ADDED: ReadonlySet<unknown> = new Set([...SUPERVISION_EVENTS, ...BUDGET_EVENTS, ...TICKET_EVENTS]);

const expected = EVENTS.filter((row) => !ADDED.has(row))
  .filter(({ address }) => publishersOf(address).some(({ role }) => role === "server"))
  .map(({ name }) => name)
  .filter((name) => !NOT_WRITTEN_HERE.test(name) && !SAID_BY_PEERS.test(name));

type Ask = (body: Frame) => Promise<Frame>;

async function driveMission({ transport, terminals }: BusHarness): Promise<void> {
  const client = transport.connect();
  const named = { terminalId: "9", correlationId: "c9" };
  for (const body of [
    { cmd: "lifecycle.plan", plan: "p", workerMode: "single", expectedWorkers: 1 },
    { cmd: "lifecycle.advance", to: "SPAWN" },
    { cmd: "lifecycle.register-spawn", ...named, name: "w" },
    { cmd: "lifecycle.register-monitor", ...named, command: "watch" },
    { cmd: "monitors.register-intent", correlation_id: "c6" },
  ]) {
    expect(await request(client, body)).toMatchObject({ ok: true });
  }
  terminals.add("9");
  await terminals.close("9", "user");
  await settle();
  expect(await request(client, { cmd: "lifecycle.reflect", reflect: "well" })).toMatchObject({ ok: true });
}

async function driveTasks(boss: Ask, worker: Ask, id: string): Promise<void> {
  const assign = { cmd: "task.assign", title: "t", prompt: "p", assignee: id };
  const { taskId } = await boss(assign);
  await boss({ ...assign, deliver: "inject" });
  await worker({ cmd: "task.update", taskId, status: "running" });
  await boss({ cmd: "task.cancel", taskId });
  await worker({ cmd: "task.complete", taskId, status: "skipped" });
}

async function drivePipeline(boss: Ask): Promise<void> {
  const steps = ["source", "sink"].map((role) => ({ role, terminalId: "5" }));
  const { pipelineId } = await boss({ cmd: "pipeline.create", steps });
  await boss({ cmd: "publish", topic: "output.5.line", payload: { text: "x" } });
  await boss({ cmd: "pipeline.close", pipelineId });
}

async function driveWorker(say: Ask, id: string): Promise<void> {
  const publish = (action: string, payload: Frame): Promise<Frame> =>
    say({ cmd: "publish", topic: `worker.${id}.${action}`, payload });
  await publish("heartbeat", { current_phase: "PLAN", time_in_phase_ms: 0, tokens_used: 1, cost_usd: 2 });
  await publish("event", { kind: "odd" });
  await publish("phase", { phase: "DEPLOY", prev: null, transition_reason: "x", phases_completed: [] });
}

test("everything the server writes has a schema, and it writes everything it has a schema for", async () => {
  const harness = await startBus({ budget: { thresholdsUsd: [1] } });
  await driveMission(harness);
  const orchestrator = await join(harness, "orchestrator");
  await join(harness, "observer", { monitorCorrelationId: "c6" });
  const worker = await join(harness, "worker", { terminalId: "5", correlation_id: "c5" });
  const boss: Ask = (body) => request(orchestrator.client, body);
  const say: Ask = (body) => request(worker.client, body);
  await boss({ cmd: "wave.create", waveId: "w1", manifest: ["tester"] });
  await say({ cmd: "hello", protocol: "claws/2", waveId: "w1", subWorkerRole: "tester" });
  await driveTasks(boss, say, worker.id);
  const delivery = { targetPeerId: worker.id, cmdTopic: `cmd.${worker.id}.abort`, idempotencyKey: "k" };
  const { seq } = await boss({ cmd: "deliver-cmd", ...delivery, payload: { reason: "r" } });
  await say({ cmd: "cmd.ack", seq, status: "executed" });
  await boss({ cmd: "broadcast", text: "hurry" });
  await drivePipeline(boss);
  await driveWorker(say, worker.id);
  harness.clock.now += LIMITS.waveSilenceMs + LIMITS.staleMs;
  harness.bus.checkDue();
  harness.bus.checkPeers();
  await boss({ cmd: "wave.complete", waveId: "w1", summary: "done" });
  worker.client.close();
  await settle();
  expect(await writtenTo(harness.log)).toEqual(new Set(expected));
});
