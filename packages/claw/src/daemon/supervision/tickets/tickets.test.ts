import { LIMITS } from "claw-contract";
import { expect, test } from "vitest";
import type { EventLog } from "../../../bus/index.ts";
import type { BusHarness, Frame, Joined } from "../../../bus/testing/bus-harness.ts";
import { join, request, settle } from "../../../bus/testing/bus-harness.ts";
import { spawnedEvent } from "../../testing/spawned-event.ts";
import { startSupervisedBus } from "../../testing/supervised-bus.ts";
import { answer, ask, logged, openIds } from "../approvals/testing/approval-scene.ts";

const HANDLE = "h".repeat(LIMITS.ticketHandleLeast);
const BOOT: Frame = { model: "m", role: "worker", mission_summary: "x", cwd: "/", terminal_id: "" };
const PLAN: Frame = { phase: "PLAN", prev: null, transition_reason: "begin", phases_completed: [] };

/** A client that says this comes back as the same peer. */
const SAME: Frame = { instanceNonce: "n" };

interface Scene {
  readonly harness: BusHarness;
  readonly boss: Joined;
  readonly worker: Joined;
}

const say = ({ client, id }: Joined, action: string, payload: Frame): Promise<Frame> =>
  request(client, { cmd: "publish", topic: `worker.${id}.${action}`, payload });

/** A worker at work that the caller has started. */
async function begin(harness: BusHarness, boss: Joined, name = "lexer"): Promise<Joined> {
  const worker = await join(harness, "worker", { peerName: name, capabilities: ["resume"] });
  const payload = { ...spawnedEvent(worker.id, { name, parent_id: boss.id }) };
  harness.bus.host.publish([{ topic: "system.worker.spawned", payload }], () => undefined);
  await settle();
  await say(worker, "boot", BOOT);
  await say(worker, "phase", PLAN);
  return worker;
}

async function openScene(): Promise<Scene> {
  const harness = await startSupervisedBus();
  const boss = await join(harness, "orchestrator", SAME);
  return { harness, boss, worker: await begin(harness, boss) };
}

const complete = (worker: Joined, result = "ok"): Promise<Frame> =>
  say(worker, "complete", { result, summary: "wrote it", artifacts: [], phases_completed: ["PLAN"] });

const open = ({ client }: Joined, workers: readonly string[], more: Frame = {}): Promise<Frame> =>
  request(client, { cmd: "ticket.open", handle: HANDLE, workers, ...more });

const show = ({ client }: Joined, handle = HANDLE): Promise<Frame> => request(client, { cmd: "ticket.show", handle });

const story = async ({ log }: BusHarness): Promise<string[]> =>
  (await logged({ log }, "system.ticket.", "cmd.")).map(({ topic }) => topic.replace("system.ticket.", ""));

test("a ticket is in the log before the reply, and the log holds only the hash of its handle", async () => {
  const { harness, boss, worker } = await openScene();
  expect(await open(boss, ["lexer"], { started: true })).toMatchObject({
    ok: true,
    status: "open",
    goal: "complete",
    started: true,
    ttlMs: LIMITS.ticketMs,
    workers: [{ peer_id: worker.id, name: "lexer", verdict: "waiting", state: "starting" }],
    approvals: [],
    answers: [],
  });
  const [event] = await logged(harness, "system.ticket.");
  expect(event).toMatchObject({ topic: "system.ticket.opened", from: "server", payload: { owner: boss.id } });
  expect(event?.payload["ticket"]).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(event)).not.toContain(HANDLE);
});

test("a ticket closes once with what the worker did, and shows the same after a restart of the daemon", async () => {
  const { harness, boss, worker } = await openScene();
  await open(boss, [worker.id]);
  await complete(worker);
  await settle();
  const shown = await show(boss);
  expect(shown).toMatchObject({
    status: "closed",
    workers: [{ verdict: "met", state: "finished", completion: "reported", result: "ok", summary: "wrote it" }],
  });
  const again = await harness.restart();
  const { client } = await join(again, "orchestrator");
  expect(await request(client, { cmd: "ticket.show", handle: HANDLE })).toMatchObject({ code: "TICKET_NOT_FOUND" });
  const back = await join(again, "orchestrator", SAME);
  expect(back.id).toBe(boss.id);
  expect(await show(back)).toMatchObject({ workers: shown["workers"], cursor: shown["cursor"], status: "closed" });
  expect(await story(again)).toEqual(["opened", "closed"]);
});

test("a closing that the log refused is stored later, and a closing that a crash cut off at the next start", async () => {
  const broken = { isOn: true };
  const alterLog = (log: EventLog): EventLog => ({
    ...log,
    head: () => log.head(),
    append: (event, commit) =>
      broken.isOn && event.topic === "system.ticket.closed"
        ? commit.failed(new Error("no space"))
        : log.append(event, commit),
  });
  const harness = await startSupervisedBus({ alterLog });
  const boss = await join(harness, "orchestrator", SAME);
  const worker = await begin(harness, boss);
  await open(boss, [worker.id]);
  await complete(worker);
  await settle();
  expect(await story(harness)).toEqual(["opened"]);
  expect(harness.reports.splice(0).at(0)).toBe("a ticket was not closed: no space");
  broken.isOn = false;
  const again = await harness.restart();
  await settle();
  await again.restart();
  await settle();
  expect(await story(again)).toEqual(["opened", "closed"]);
});

test("the same handle opens one ticket, also when two requests come at once", async () => {
  const { harness, boss, worker } = await openScene();
  const replies = await Promise.all([open(boss, [worker.id]), open(boss, [worker.id])]);
  expect(replies.map(({ ok, opened }) => [ok, opened])).toEqual([
    [true, replies[0]?.["opened"]],
    [true, replies[0]?.["opened"]],
  ]);
  expect(await story(harness)).toEqual(["opened"]);
});

test("another caller that knows the handle cannot see, answer, cancel or open it", async () => {
  const { harness, boss, worker } = await openScene();
  await open(boss, [worker.id], { started: true });
  await ask(worker, "r1");
  const thief = await join(harness, "orchestrator");
  const [approvalId = ""] = await openIds(boss);
  const tries = [
    { cmd: "ticket.show" },
    { cmd: "ticket.cancel" },
    { cmd: "ticket.answer", approvalId, decision: "approve" },
    { cmd: "ticket.open", workers: [worker.id] },
  ];
  for (const each of tries) {
    expect(await request(thief.client, { handle: HANDLE, ...each })).toMatchObject({
      ok: false,
      code: "TICKET_NOT_FOUND",
    });
  }
  expect(await show(boss)).toMatchObject({ status: "open", approvals: [{ approvalId }] });
  expect(await story(harness)).toEqual(["opened"]);
});

test("an approval is answered through the ticket once, and a late answer is told whose counts", async () => {
  const { harness, boss, worker } = await openScene();
  await open(boss, [worker.id]);
  await ask(worker, "r1");
  await ask(worker, "r2", { message: "and this?" });
  const { approvals } = (await show(boss)) as { approvals: { approvalId: string; hash: string }[] };
  const [first, second] = approvals;
  const give = (approvalId: string | undefined, more: Frame): Promise<Frame> =>
    request(boss.client, { cmd: "ticket.answer", handle: HANDLE, approvalId, ...more });
  expect(await give(first?.approvalId, { decision: "approve", hash: first?.hash })).toMatchObject({
    outcome: "counted",
  });
  expect(await give(first?.approvalId, { decision: "reject" })).toMatchObject({ outcome: "ignored" });
  const other = await join(harness, "orchestrator");
  await answer(other, second?.approvalId ?? "", "reject");
  expect(await give(second?.approvalId, { decision: "approve" })).toMatchObject({
    outcome: "late",
    note: expect.stringContaining(`answered already: reject by ${other.id}`),
  });
  expect(await give("ap_000000000000", { decision: "approve" })).toMatchObject({ outcome: "ignored" });
  expect(await show(boss)).toMatchObject({ approvals: [], answers: [{ outcome: "counted" }, { outcome: "late" }] });
});

test("an answer to another question than the one shown does not count", async () => {
  const { boss, worker } = await openScene();
  await open(boss, [worker.id]);
  await ask(worker, "r1");
  const [approvalId = ""] = await openIds(boss);
  const call = { cmd: "ticket.answer", handle: HANDLE, approvalId, decision: "approve", hash: "0".repeat(64) };
  expect(await request(boss.client, call)).toMatchObject({ outcome: "late" });
  expect(await openIds(boss)).toEqual([approvalId]);
  expect(await answer(boss, approvalId, "approve", { hash: "0".repeat(64) })).toMatchObject({
    code: "APPROVAL_CHANGED",
  });
});

test("without a decision the approval stays open, and the ticket does not ask again, not even after a restart", async () => {
  const { harness, boss, worker } = await openScene();
  await open(boss, [worker.id]);
  await ask(worker, "r1");
  const [approvalId = ""] = await openIds(boss);
  const call = { cmd: "ticket.answer", handle: HANDLE, approvalId };
  expect(await request(boss.client, call)).toMatchObject({ outcome: "left_open" });
  expect(await openIds(boss)).toEqual([approvalId]);
  const again = await harness.restart();
  const back = await join(again, "orchestrator", SAME);
  expect(await show(back)).toMatchObject({ approvals: [], answers: [{ approvalId, outcome: "left_open" }] });
});

test("approvals of workers that the caller did not start are not asked", async () => {
  const { harness, boss, worker } = await openScene();
  const other = await join(harness, "orchestrator");
  await open(other, [worker.id]);
  await ask(worker, "r1");
  expect(await show(other)).toMatchObject({ approvals: [] });
  const [approvalId = ""] = await openIds(boss);
  const call = { cmd: "ticket.answer", handle: HANDLE, approvalId, decision: "approve" };
  expect(await request(other.client, call)).toMatchObject({ outcome: "ignored" });
  expect(await openIds(boss)).toEqual([approvalId]);
});

test("cancelling aborts only workers that were started for the ticket", async () => {
  const { harness, boss, worker } = await openScene();
  await open(boss, [worker.id]);
  const cancel = (handle: string): Promise<Frame> => request(boss.client, { cmd: "ticket.cancel", handle });
  expect(await cancel(HANDLE)).toMatchObject({ status: "cancelled" });
  expect(await story(harness)).toEqual(["opened", "cancelled"]);
  const second = "s".repeat(LIMITS.ticketHandleLeast);
  await open(boss, [worker.id], { handle: second, started: true });
  expect(await cancel(second)).toMatchObject({ status: "cancelled" });
  expect(await cancel(second)).toMatchObject({ status: "cancelled" });
  expect(await story(harness)).toEqual(["opened", "cancelled", "opened", "cancelled", `cmd.${worker.id}.abort`]);
});

test("a ticket is unknown once its time is over", async () => {
  const { harness, boss, worker } = await openScene();
  await open(boss, [worker.id], { ttlMs: LIMITS.ticketLeastMs });
  harness.clock.now += LIMITS.ticketLeastMs;
  expect(await show(boss)).toMatchObject({ code: "TICKET_NOT_FOUND" });
});

test("a caller with too many open tickets gets no more, and others do", async () => {
  const { harness, boss, worker } = await openScene();
  const handleOf = (number: number): string => `${number}`.padStart(LIMITS.ticketHandleLeast, "0");
  for (let number = 0; number < LIMITS.ticketsOpen; number += 1) {
    await open(boss, [worker.id], { handle: handleOf(number) });
  }
  expect(await open(boss, [worker.id])).toMatchObject({ code: "TICKETS_FULL" });
  const other = await join(harness, "orchestrator");
  expect(await open(other, [worker.id])).toMatchObject({ ok: true });
});

test("a worker waits for its own children alone", async () => {
  const { harness, boss, worker } = await openScene();
  const child = await begin(harness, worker, "child");
  expect(await open(worker, ["lexer"])).toMatchObject({ code: "WORKER_NOT_FOUND" });
  expect(await open(worker, ["child"])).toMatchObject({ ok: true, workers: [{ peer_id: child.id }] });
  expect(await request(boss.client, { cmd: "worker.outcomes" })).toMatchObject({
    done: false,
    workers: [{ peer_id: worker.id }],
  });
});

test.each([
  ["a short handle", { handle: "short" }, "INVALID_FLAG_VALUE"],
  ["no workers", { workers: [] }, "INVALID_FLAG_VALUE"],
  ["a worker that is not there", { workers: ["nobody"] }, "WORKER_NOT_FOUND"],
  ["too many workers", { workers: Array.from({ length: LIMITS.ticketWorkers + 1 }, String) }, "INVALID_FLAG_VALUE"],
  ["another goal", { goal: "glory" }, "INVALID_FLAG_VALUE"],
  ["a time that is too short", { ttlMs: 1 }, "INVALID_FLAG_VALUE"],
])("a ticket with %s is refused", async (_what, more, code) => {
  const { boss } = await openScene();
  expect(await open(boss, ["lexer"], more)).toMatchObject({ ok: false, code });
});

test("a removed worker ends the wait", async () => {
  const { harness, boss, worker } = await openScene();
  await open(boss, [worker.id]);
  worker.client.close();
  const gone = { peerId: worker.id, name: "lexer", by: boss.id, ts: harness.bus.host.timestamp() };
  harness.bus.host.publish([{ topic: "system.worker.removed", payload: gone }], () => undefined);
  await settle();
  expect(await show(boss)).toMatchObject({
    status: "closed",
    workers: [{ name: "lexer", verdict: "failed", code: "WORKER_NOT_FOUND", state: null }],
  });
});
