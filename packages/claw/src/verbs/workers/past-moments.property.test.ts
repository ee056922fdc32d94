import { PHASES } from "claw-contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Frame, Joined } from "../../bus/testing/bus-harness.ts";
import { join, request, settle } from "../../bus/testing/bus-harness.ts";
import { spawnedEvent } from "../../daemon/testing/spawned-event.ts";
import type { Scene } from "../testing/supervised-bus.ts";
import { startSupervisedBus } from "../../daemon/testing/supervised-bus.ts";
import { say, tell } from "../testing/supervised-bus.ts";

type Step =
  | { readonly kind: "say"; readonly worker: number; readonly action: string; readonly data: Frame }
  | { readonly kind: "tell"; readonly worker: number; readonly topic: string; readonly data: Frame }
  | { readonly kind: "order"; readonly worker: number; readonly topic: string; readonly data: Frame }
  | { readonly kind: "answer"; readonly decision: "approve" | "reject" }
  | { readonly kind: "limit"; readonly worker: number; readonly usd: number }
  | { readonly kind: "leave"; readonly worker: number }
  | { readonly kind: "pass"; readonly ms: number };

const WORKERS = 2;
const worker = fc.nat(WORKERS - 1);
const saying = (action: string, data: fc.Arbitrary<Frame>) =>
  fc.record({ kind: fc.constant("say" as const), worker, action: fc.constant(action), data });
const telling = (topic: string, data: fc.Arbitrary<Frame>) =>
  fc.record({ kind: fc.constant("tell" as const), worker, topic: fc.constant(topic), data });

const step: fc.Arbitrary<Step> = fc.oneof(
  saying("boot", fc.constant({ model: "m", role: "worker", mission_summary: "x", cwd: "/", terminal_id: "" })),
  saying(
    "phase",
    fc
      .constantFrom(...PHASES)
      .map((phase) => ({ phase, prev: null, transition_reason: "on", phases_completed: [] as string[] })),
  ),
  saying(
    "heartbeat",
    fc.record({
      current_phase: fc.constant("PLAN"),
      time_in_phase_ms: fc.nat(9),
      tokens_used: fc.nat(999),
      cost_usd: fc.nat(9),
    }),
  ),
  saying("event", fc.constant({ kind: "LOG", severity: "info", message: "reads a file" })),
  saying(
    "event",
    fc.record({
      kind: fc.constantFrom("REQUEST", "BLOCKED"),
      severity: fc.constant("info"),
      message: fc.constant("may I?"),
      request_id: fc.constantFrom("r1", "r2"),
    }),
  ),
  saying("event", fc.constant({ kind: "ERROR", severity: "fatal", message: "lost" })),
  saying(
    "signal",
    fc.record({
      signal: fc.constantFrom("turn_started", "turn_ended", "tool_started", "tool_ended", "rate_limited", "paused"),
      source: fc.constant("stream"),
      as_of: fc.constant("2026-01-01T00:00:00.000Z"),
      detail: fc.constant("x"),
      until: fc.constantFrom("2026-01-01T00:10:00.000Z", null),
    }),
  ),
  saying(
    "complete",
    fc.constant({
      result: "ok",
      summary: "done",
      artifacts: [],
      phases_completed: [],
      total_tokens: 1,
      total_cost_usd: 1,
    }),
  ),
  telling("system.worker.spawned", fc.constant({})),
  telling("system.worker.terminated", fc.record({ expected: fc.boolean(), pid: fc.constant(4711) })),
  fc.record({
    kind: fc.constant("order" as const),
    worker,
    topic: fc.constantFrom("pause", "resume", "abort"),
    data: fc.constant({}),
  }),
  fc.record({ kind: fc.constant("answer" as const), decision: fc.constantFrom("approve" as const, "reject" as const) }),
  fc.record({ kind: fc.constant("limit" as const), worker, usd: fc.nat(9) }),
  fc.record({ kind: fc.constant("leave" as const), worker }),
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 3_000_000 }) }),
  },
);

/** A supervised bus with workers, on which a story is played. */
async function openStage() {
  const harness = await startSupervisedBus({ moments: { spacing: 7, keepMs: 0, mostEvents: 5 } });
  const boss = await join(harness, "orchestrator", { capabilities: ["receipts"] });
  const workers: Joined[] = [];
  for (let n = 0; n < WORKERS; n += 1) workers.push(await join(harness, "worker", { peerName: `worker-${n}` }));
  const sceneOf = (n: number): Scene => ({ harness, boss, worker: workers[n] as Joined });
  return { harness, boss, sceneOf };
}

type Stage = Awaited<ReturnType<typeof openStage>>;

async function play({ harness, boss, sceneOf }: Stage, given: Step): Promise<void> {
  const { client } = boss;
  if (given.kind === "pass") harness.clock.now += given.ms;
  else if (given.kind === "answer") {
    const { approvals } = (await request(client, { cmd: "approval.list" })) as { approvals: { approvalId: string }[] };
    const approvalId = approvals[0]?.approvalId ?? "none";
    await request(client, { cmd: "approval.answer", approvalId, decision: given.decision });
  } else {
    const scene = sceneOf(given.worker);
    const { id } = scene.worker;
    if (given.kind === "say") await say(scene, given.action, given.data);
    if (given.kind === "tell") {
      await tell(scene, given.topic, given.topic.endsWith("spawned") ? { ...spawnedEvent(id) } : given.data);
    }
    if (given.kind === "order") {
      await request(client, { cmd: "publish", topic: `cmd.${id}.${given.topic}`, payload: given.data });
    }
    if (given.kind === "limit") {
      await request(client, { cmd: "budget.set", scope: "worker", target: id, budget: { usd: given.usd } });
    }
    if (given.kind === "leave") scene.worker.client.close();
  }
  // The clock looks until nothing is due, past the shortest time between two reasons of one state.
  for (let look = 0; look < 3; look += 1) {
    await settle();
    harness.clock.now += 6000;
    harness.bus.checkPeers();
    harness.bus.checkDue();
  }
  await settle();
}

/** Frames that are no events are signs of life too, but are not in the log. */
const withoutLastSeen = (workers: unknown): unknown =>
  ((workers ?? []) as Frame[]).map(({ last_seen: _lastSeen, ...worker }) => worker);

/** The answers of the verbs that show the present. */
async function present({ boss: { client } }: Stage): Promise<Frame> {
  const { workers } = await request(client, { cmd: "worker.list" });
  const { approvals } = await request(client, { cmd: "approval.list", all: true });
  const { budgets } = await request(client, { cmd: "budget.list" });
  return { workers: withoutLastSeen(workers), approvals, budgets };
}

/** The same of an earlier moment, asked for until it is ready. */
async function past({ boss: { client } }: Stage, at: string): Promise<Frame> {
  for (let asked = 0; asked < 1000; asked += 1) {
    const { ready, moment, error } = await request(client, { cmd: "moment.show", at, allApprovals: true });
    if (error !== undefined) throw new Error(String(error));
    const { workers, approvals, budgets } = (moment ?? {}) as Frame;
    if (ready === true) return { workers: withoutLastSeen(workers), approvals, budgets };
  }
  throw new Error("the moment is never ready");
}

test("a moment shown later equals what was shown then", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), fc.nat(), async (steps, seed) => {
      const stage = await openStage();
      const seen: [cursor: string, shown: Frame][] = [];
      for (const each of steps) {
        await play(stage, each);
        seen.push([stage.harness.bus.host.cursorAt(stage.harness.log.head()), await present(stage)]);
      }
      const order = seen.toSorted(([left], [right]) => ((left.length * seed) % 7) - ((right.length * seed) % 7));
      for (const [cursor, shown] of order) expect(await past(stage, cursor)).toEqual(shown);
    }),
    { numRuns: 50 },
  );
}, 60_000);
