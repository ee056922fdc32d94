import { expect, test } from "vitest";
import { join, request, settle, startBus, told } from "../../../bus/testing/bus-harness.ts";
import { answer, ask, extendWith, logged, openIds, story } from "./testing/approval-scene.ts";

test("a question becomes an approval that says what exactly is asked, and its answer reaches the worker", async () => {
  const harness = await startBus({ extend: extendWith() });
  const worker = await join(harness, "worker", { peerName: "fixer" });
  const person = await join(harness, "orchestrator");
  await ask(worker, "r1");
  const { approvals } = await request(person.client, { cmd: "approval.list" });
  const [approval] = approvals as Record<string, unknown>[];
  expect(approval).toMatchObject({
    approvalId: expect.stringMatching(/^ap_[0-9a-f]{12}$/),
    peerId: worker.id,
    worker: "fixer",
    requestId: "r1",
    kind: "REQUEST",
    message: "may I?",
    subject: { request_type: "permission", tool: "Bash", command: "git push", cwd: "/work" },
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    deadline: "2026-01-01T01:00:00.000Z",
    default: "reject",
    status: "open",
  });
  const id = String(approval?.["approvalId"]);
  expect(await answer(person, id, "approve", { reason: "fine" })).toMatchObject({ ok: true });
  expect(await story(harness)).toEqual(["server opened", "server answered", `${person.id} cmd.${worker.id}.approve`]);
  const [command] = await logged(harness, "cmd.");
  expect(command?.payload).toMatchObject({
    schema: "cmd-approve-v1",
    from_peer: person.id,
    data: { correlation_id: "r1", approval_id: id, hash: approval?.["hash"], payload: { reason: "fine" } },
  });
  expect(await openIds(person)).toEqual([]);
});

test("the peer that answers hears of the command that its answer became, as all others do", async () => {
  const harness = await startBus({ extend: extendWith() });
  const worker = await join(harness, "worker");
  const [one, two] = [await join(harness, "orchestrator"), await join(harness, "orchestrator")];
  await ask(worker, "r1");
  for (const { client } of [one, two]) await request(client, { cmd: "subscribe", topic: "cmd.**" });
  const [id = ""] = await openIds(one);
  await answer(one, id, "approve");
  const command = [[`cmd.${worker.id}.approve`, expect.objectContaining({ from_peer: one.id })]];
  expect([told(one.client), told(two.client)]).toEqual([command, command]);
});

test("a question without a request id, or of another kind, opens nothing", async () => {
  const harness = await startBus({ extend: extendWith() });
  const worker = await join(harness, "worker");
  await ask(worker, "r1", { request_id: undefined });
  await ask(worker, "r1", { kind: "LOG" });
  await ask(worker, "r1", { severity: "fatal" });
  expect(await story(harness)).toEqual([]);
});

test("of two answers at the same time exactly one counts, and the other is told whose", async () => {
  const harness = await startBus({ extend: extendWith() });
  const worker = await join(harness, "worker");
  const [one, two] = [await join(harness, "orchestrator"), await join(harness, "orchestrator")];
  await ask(worker, "r1");
  const [id = ""] = await openIds(one);
  const replies = await Promise.all([answer(one, id, "reject"), answer(two, id, "approve")]);
  expect(replies).toMatchObject([
    { ok: true },
    { ok: false, code: "APPROVAL_ANSWERED", error: `${id} was answered already: reject by ${one.id}` },
  ]);
  expect(await story(harness)).toEqual(["server opened", "server answered", `${one.id} cmd.${worker.id}.reject`]);
  expect(await answer(one, id, "reject")).toMatchObject({ ok: true, duplicate: true });
  expect(await answer(two, id, "reject")).toMatchObject({ ok: false, code: "APPROVAL_ANSWERED" });
});

test("a raw command resolves the same approval once, whichever comes first", async () => {
  const harness = await startBus({ extend: extendWith() });
  const worker = await join(harness, "worker");
  const [one, two] = [await join(harness, "orchestrator"), await join(harness, "orchestrator")];
  await ask(worker, "r1");
  const [id = ""] = await openIds(one);
  const raw = (action: string) => ({
    cmd: "publish",
    topic: `cmd.${worker.id}.${action}`,
    payload: { correlation_id: "r1", reason: "no" },
  });
  const replies = await Promise.all([
    request(one.client, raw("reject")),
    request(two.client, raw("approve")),
    answer(two, id, "approve"),
  ]);
  expect(replies).toMatchObject([
    { ok: true },
    { ok: false, code: "APPROVAL_ANSWERED" },
    { ok: false, code: "APPROVAL_ANSWERED" },
  ]);
  expect(await story(harness)).toEqual(["server opened", `${one.id} cmd.${worker.id}.reject`, "server answered"]);
  const [, answered] = await logged(harness, "system.approval.");
  expect(answered?.payload).toMatchObject({ approvalId: id, decision: "reject", by: one.id, rule: null, reason: "no" });
});

test.each(["unblock", "resume", "made_up"])("%s with the id of a request approves it", async (action) => {
  const harness = await startBus({ extend: extendWith() });
  const worker = await join(harness, "worker");
  const person = await join(harness, "orchestrator");
  await ask(worker, "r1");
  await request(person.client, {
    cmd: "publish",
    topic: `cmd.${worker.id}.${action}`,
    payload: { correlation_id: "r1" },
  });
  const [, answered] = await logged(harness, "system.approval.");
  expect(answered?.payload).toMatchObject({ decision: "approve", by: person.id });
});

test("a command for every worker answers whoever asked under that id", async () => {
  const harness = await startBus({ extend: extendWith() });
  const worker = await join(harness, "worker");
  const person = await join(harness, "orchestrator");
  await ask(worker, "r1");
  const payload = { command: "reject", correlation_id: "r1", reason: "all stop" };
  await request(person.client, { cmd: "publish", topic: "cmd.role.worker", payload });
  expect(await openIds(person)).toEqual([]);
  const again = await request(person.client, { cmd: "publish", topic: "cmd.role.worker", payload });
  expect(again).toMatchObject({ ok: false, code: "APPROVAL_ANSWERED" });
});

test("a delivered command is held to the first answer too", async () => {
  const harness = await startBus({ extend: extendWith() });
  const worker = await join(harness, "worker");
  const person = await join(harness, "orchestrator");
  await ask(worker, "r1");
  const [id = ""] = await openIds(person);
  await answer(person, id, "reject");
  const reply = await request(person.client, {
    cmd: "deliver-cmd",
    targetPeerId: worker.id,
    cmdTopic: `cmd.${worker.id}.approve`,
    payload: { correlation_id: "r1" },
    idempotencyKey: "k1",
  });
  expect(reply).toMatchObject({ ok: false, code: "APPROVAL_ANSWERED" });
  expect((await story(harness)).at(-1)).toBe(`${person.id} cmd.${worker.id}.reject`);
});

test("other content under the same id is another approval; an answer to the old one is refused and named the new one", async () => {
  const harness = await startBus({ extend: extendWith() });
  const worker = await join(harness, "worker");
  const person = await join(harness, "orchestrator");
  await ask(worker, "r1");
  const [old = ""] = await openIds(person);
  await ask(worker, "r1");
  expect(await openIds(person)).toEqual([old]);
  const asking = ask(worker, "r1", { data: { command: "rm -rf /" } });
  expect(await answer(person, old, "approve")).toMatchObject({ ok: false, code: "APPROVAL_CHANGED" });
  await asking;
  const [now = ""] = await openIds(person);
  expect(now).not.toBe(old);
  expect(await answer(person, old, "approve")).toMatchObject({
    ok: false,
    code: "APPROVAL_CHANGED",
    details: { changed_to: now },
  });
  expect([...(await story(harness))].sort()).toEqual(["server expired", "server opened", "server opened"]);
  await ask(worker, "r1");
  expect(await openIds(person)).toEqual([old]);
  expect(await answer(person, old, "approve")).toMatchObject({ ok: true });
});

test("what was answered is answered once more when the worker asks the same again", async () => {
  const harness = await startBus({ extend: extendWith() });
  const worker = await join(harness, "worker");
  const person = await join(harness, "orchestrator");
  await ask(worker, "r1");
  const [id = ""] = await openIds(person);
  await answer(person, id, "approve");
  await ask(worker, "r1");
  const commands = await logged(harness, "cmd.");
  expect(commands.map(({ payload }) => payload["data"])).toEqual([
    expect.objectContaining({ approval_id: id }),
    expect.objectContaining({ approval_id: id }),
  ]);
  expect(new Set(commands.map(({ payload }) => payload["id"])).size).toBe(2);
  expect((await logged(harness, "system.approval.answered")).length).toBe(1);
});

test("nobody answering is a no from the server, in time and once", async () => {
  const harness = await startBus({ extend: extendWith() });
  const worker = await join(harness, "worker");
  const person = await join(harness, "orchestrator");
  await ask(worker, "r1", { data: { timeout_ms: 5000 } });
  await ask(worker, "r2", { data: { deadline: "2026-01-01T00:00:07.000Z" } });
  const [id = ""] = await openIds(person);
  harness.clock.now += 4999;
  expect(harness.bus.checkDue()).toBe(harness.clock.now + 1);
  expect(await openIds(person)).toHaveLength(2);
  harness.clock.now += 1;
  expect(await answer(person, id, "approve")).toMatchObject({ ok: false, code: "APPROVAL_EXPIRED" });
  harness.bus.checkDue();
  harness.bus.checkDue();
  expect((await story(harness)).slice(2)).toEqual(["server expired", `server cmd.${worker.id}.reject`]);
  const [command] = await logged(harness, "cmd.");
  expect(command?.payload["data"]).toMatchObject({ correlation_id: "r1", reason: "no answer came in time" });
  expect(await answer(person, id, "approve")).toMatchObject({ ok: false, code: "APPROVAL_EXPIRED" });
});

test("questions of workers that ended or were started anew are over, and nobody is told an answer", async () => {
  const harness = await startBus({ extend: extendWith() });
  const worker = await join(harness, "worker");
  const person = await join(harness, "orchestrator");
  await ask(worker, "r1");
  const [id = ""] = await openIds(person);
  const complete = { result: "failed", summary: "gave up", artifacts: [], phases_completed: [] };
  const ending = request(worker.client, { cmd: "publish", topic: `worker.${worker.id}.complete`, payload: complete });
  expect(await answer(person, id, "approve")).toMatchObject({ ok: false, code: "WORKER_ENDED" });
  await ending;
  await ask(worker, "r2");
  expect(await story(harness)).toEqual(["server opened", "server expired"]);
  const [, expired] = await logged(harness, "system.approval.");
  expect(expired?.payload).toMatchObject({ approvalId: id, reason: "worker_ended" });
});

test("workers and observers answer nothing, and nobody answers what was never asked", async () => {
  const harness = await startBus({ extend: extendWith(), policy: "compat" });
  const worker = await join(harness, "worker");
  const other = await join(harness, "worker");
  const watcher = await join(harness, "observer");
  const person = await join(harness, "orchestrator");
  await ask(worker, "r1");
  const [id = ""] = await openIds(watcher);
  for (const peer of [worker, other, watcher]) expect(await answer(peer, id, "approve")).toMatchObject({ ok: false });
  const payload = { correlation_id: "r1" };
  for (const peer of [worker, other]) {
    await request(peer.client, { cmd: "publish", topic: `cmd.${worker.id}.approve`, payload });
  }
  expect(await openIds(person)).toEqual([id]);
  expect(await answer(person, "ap_000000000000", "approve")).toMatchObject({ code: "APPROVAL_NOT_FOUND" });
  expect(await answer(person, id, "maybe")).toMatchObject({ ok: false });
});

test("an option has to be chosen from those there are", async () => {
  const harness = await startBus({ extend: extendWith() });
  const worker = await join(harness, "worker");
  const person = await join(harness, "orchestrator");
  await ask(worker, "r1", { options: [{ id: "A" }, { id: "B", label: "the other" }] });
  const [id = ""] = await openIds(person);
  expect(await answer(person, id, "approve")).toMatchObject({ ok: false, code: "PUBLISH_INVALID" });
  expect(await answer(person, id, "approve", { chosen: "C" })).toMatchObject({ ok: false, code: "PUBLISH_INVALID" });
  const payload = { correlation_id: "r1", payload: { chosen: "C" } };
  const raw = { cmd: "publish", topic: `cmd.${worker.id}.approve`, payload };
  expect(await request(person.client, raw)).toMatchObject({ ok: false, code: "PUBLISH_INVALID" });
  expect(await answer(person, id, "approve", { chosen: "B" })).toMatchObject({ ok: true });
  const [command] = await logged(harness, "cmd.");
  expect(command?.payload["data"]).toMatchObject({ correlation_id: "r1", payload: { chosen: "B" } });
});

test.each([
  ["the default option", [{ id: "A" }, { id: "B", default: true }], "B"],
  ["the only option", [{ id: "A" }], "A"],
  ["no option", [{ id: "A" }, { id: "B" }], null],
])("an approve command with nothing but the request stands for %s", async (_name, options, chosen) => {
  const harness = await startBus({ extend: extendWith() });
  const worker = await join(harness, "worker");
  const person = await join(harness, "orchestrator");
  await ask(worker, "r1", { options });
  const raw = { cmd: "publish", topic: `cmd.${worker.id}.approve`, payload: { correlation_id: "r1" } };
  expect(await request(person.client, raw)).toMatchObject({ ok: true });
  const [answered] = await logged(harness, "system.approval.answered");
  expect(answered?.payload).toMatchObject({ requestId: "r1", decision: "approve", chosen, by: person.id });
  expect(await openIds(person)).toEqual([]);
});

test("beyond the cap nothing is approved, and everything can be rejected", async () => {
  const harness = await startBus({ extend: extendWith(), budget: { capUsd: 1, thresholdsUsd: [] } });
  const worker = await join(harness, "worker");
  const person = await join(harness, "orchestrator");
  const heartbeat = { current_phase: "PLAN", time_in_phase_ms: 1, tokens_used: 1, cost_usd: 2 };
  await request(worker.client, { cmd: "publish", topic: `worker.${worker.id}.heartbeat`, payload: heartbeat });
  await ask(worker, "r1");
  const [id = ""] = await openIds(person);
  expect(await answer(person, id, "approve")).toMatchObject({ ok: false, code: "BUDGET_EXCEEDED" });
  expect(await answer(person, id, "reject")).toMatchObject({ ok: true });
});

test("secrets are masked and what is huge is cut, and both stay bound to all that was asked", async () => {
  const harness = await startBus({ extend: extendWith([{ id: "all", decision: "approve" }]) });
  const worker = await join(harness, "worker");
  const person = await join(harness, "orchestrator");
  const secret = "ghp_0123456789abcdefghijABCDEFGHIJ456789";
  await ask(worker, "r1", { data: { command: `curl -H 'Authorization: Bearer ${secret}'` } });
  await ask(worker, "r2", { data: { diff: "x".repeat(500_000) } });
  await ask(worker, "r3", { data: { diff: `${"x".repeat(500_000)}y` } });
  const { approvals } = await request(person.client, { cmd: "approval.list" });
  const [masked, cut, other] = approvals as Record<string, unknown>[];
  expect(JSON.stringify(approvals)).not.toContain(secret);
  expect(JSON.stringify(approvals).length).toBeLessThan(60_000);
  expect(masked).toMatchObject({ masked: true, cut: false });
  expect(cut).toMatchObject({ masked: false, cut: true });
  expect(cut?.["hash"]).not.toBe(other?.["hash"]);
});

test("a worker that asks without end is stopped", async () => {
  const harness = await startBus({ extend: extendWith() });
  const worker = await join(harness, "worker");
  const person = await join(harness, "orchestrator");
  for (let number = 0; number < 100; number += 1) await ask(worker, `r${number}`);
  expect(await ask(worker, "one more")).toMatchObject({ ok: false, error: "gate: 100 questions are open already" });
  expect(await openIds(person)).toHaveLength(100);
  await settle();
});

test("a rule answers at once and is named; what no rule fits is left to people", async () => {
  const rules = [{ id: "push", decision: "approve", worker: "fix*", command: "git push" }] as const;
  const harness = await startBus({ extend: extendWith(rules) });
  const worker = await join(harness, "worker", { peerName: "fixer" });
  const person = await join(harness, "orchestrator");
  await ask(worker, "r1");
  await ask(worker, "r2", { data: { command: "git push; rm -rf /" } });
  expect(await openIds(person)).toHaveLength(1);
  const told = await logged(harness, "system.approval.answered", "cmd.");
  expect(told).toMatchObject([
    { payload: { decision: "approve", by: "server", rule: "push" } },
    { topic: `cmd.${worker.id}.approve`, from: "server", payload: { data: { correlation_id: "r1" } } },
  ]);
});
