import type { WorkerRecord, WorkerView } from "claw-contract";
import { LIMITS, workerViewOf } from "claw-contract";
import { expect, test } from "vitest";
import type { Frame } from "../../bus/testing/bus-harness.ts";
import { join, request } from "../../bus/testing/bus-harness.ts";
import { openScene, pass, say } from "../testing/supervised-bus.ts";

interface Shown {
  readonly cursor: string;
  readonly ts: string;
  readonly oldest: string;
  readonly head: string;
  readonly workers: readonly WorkerView[];
  readonly approvals: readonly { readonly status: string }[];
  readonly records?: readonly WorkerRecord[];
}

type Scene = Awaited<ReturnType<typeof openScene>>;

const ask = ({ boss }: Scene, more: Frame = {}): Promise<Frame> =>
  request(boss.client, { cmd: "moment.show", ...more });

async function show(scene: Scene, more: Frame = {}): Promise<Shown> {
  const { ready, moment } = await ask(scene, more);
  expect(ready).toBe(true);
  return moment as Shown;
}

test("a moment is named by a cursor or by a time, and both show the workers and approvals of then", async () => {
  const scene = await openScene();
  const before = await show(scene);
  const time = scene.harness.clock.now;
  await pass(scene, 5000);
  await request(scene.boss.client, { cmd: "approval.answer", approvalId: "none", decision: "approve" });
  await say(scene, "event", { kind: "REQUEST", severity: "info", message: "and this?", request_id: "r2" });
  await pass(scene, 5000);
  const now = await show(scene);
  expect([before, now].map(({ approvals }) => approvals.length)).toEqual([1, 2]);
  const { workers, approvals, cursor } = await show(scene, { at: before.cursor });
  expect({ workers, approvals, cursor }).toEqual({
    workers: before.workers,
    approvals: before.approvals,
    cursor: before.cursor,
  });
  expect(await show(scene, { time })).toEqual(await show(scene, { at: before.cursor }));
  expect(now).toMatchObject({ oldest: "0001:0", head: now.cursor });
});

test("the beginning of the log has no workers", async () => {
  expect(await show(await openScene(), { at: "0000:0" })).toMatchObject({ cursor: "0001:0", workers: [] });
});

test("records are those from which the views are made", async () => {
  const scene = await openScene();
  const { workers, records = [] } = await show(scene, { records: true });
  expect(records.map((record) => workerViewOf(record).peer_id)).toEqual(workers.map(({ peer_id: id }) => id));
});

test.each([
  ["a malformed cursor", { at: "yesterday" }, "INVALID_CURSOR"],
  ["a cursor beyond the log", { at: "0001:9999" }, "INVALID_CURSOR"],
  ["a time in the future", { time: 4e12 }, "INVALID_CURSOR"],
  ["a time that is no time", { time: -1 }, "INVALID_CURSOR"],
  ["a cursor and a time", { at: "0001:1", time: 1 }, "INVALID_CURSOR"],
  ["a cursor of another log", { at: "0007:1" }, "MOMENT_GONE"],
])("%s is refused", async (_what, asked, code) => {
  expect(await ask(await openScene(), asked)).toMatchObject({ ok: false, code });
});

test("more requests than may wait are refused, and the others are answered", async () => {
  const scene = await openScene();
  const { client } = scene.boss;
  const asked = LIMITS.momentsWaiting + 1;
  for (let id = 1; id <= asked; id += 1) client.send(JSON.stringify({ id, cmd: "moment.show", at: "0001:1" }));
  await show(scene);
  const replies = client.frames.map((frame) => JSON.parse(frame) as Frame).filter(({ rid }) => Number(rid) <= asked);
  const refused = replies.filter(({ ok }) => ok === false);
  expect([replies.length, refused.map(({ error }) => error)]).toEqual([asked, ["admission-control:backlog"]]);
});

test("observers may look back, and workers may not", async () => {
  const scene = await openScene();
  const observer = await join(scene.harness, "observer");
  expect(await request(observer.client, { cmd: "moment.show", at: "0001:1" })).toMatchObject({ ok: true });
  expect(await request(scene.worker.client, { cmd: "moment.show" })).toMatchObject({ ok: false });
});
