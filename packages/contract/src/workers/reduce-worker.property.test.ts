import * as fc from "fast-check";
import { expect, test } from "vitest";
import { PHASES } from "../events/phases.ts";
import { LIMITS } from "../limits/limits.ts";
import { ENDED_STATES, STATE_SOURCES, WORKER_SIGNALS } from "./worker-words.ts";
import { reduceWorker } from "./reduce-worker.ts";
import { stateChangeOf, tellAt, workerViewOf } from "./worker-view.ts";
import { SPAWNED, START } from "./testing/worker-story.ts";
import type { WorkerFact } from "./worker-fact.ts";
import type { WorkerRecord } from "./worker-record.ts";
import { newWorker } from "./worker-record.ts";

type Fields = Record<string, unknown>;
/** Something that happens, and how long after what happened before. Time may also go back. */
type Step = { readonly afterMs: number } & (
  | { readonly topic: string; readonly data: Fields }
  | { readonly look: true }
);

const id = fc.constantFrom("r1", "r2", "a1", "a2");
const time = fc.integer({ min: -3_600_000, max: 7_200_000 }).map((ms) => new Date(START + ms).toISOString());
const amount = fc.oneof(fc.nat(1000), fc.constantFrom(-1, Number.NaN, 1e300, "x", null));
const odd = fc.oneof(fc.string(), fc.constant(null), fc.double(), fc.constant({}), fc.constant(undefined));

const own = (action: string, data: fc.Arbitrary<Fields>): fc.Arbitrary<{ topic: string; data: Fields }> =>
  data.map((fields) => ({ topic: `worker.p_1.${action}`, data: fields }));
const server = (topic: string, data: fc.Arbitrary<Fields> = fc.constant({})) =>
  data.map((fields) => ({ topic: `system.${topic}`, data: { peerId: "p_1", role: "worker", ...fields } }));

const happening = fc.oneof(
  own("boot", fc.constant({ model: "m" })),
  own("phase", fc.record({ phase: fc.constantFrom(...PHASES), transition_reason: fc.string() })),
  own("heartbeat", fc.record({ tokens_used: amount, cost_usd: amount, current_action: odd, current_phase: odd })),
  own("heartbeat", fc.constant({ severity: "fatal" })),
  own(
    "event",
    fc.record({ kind: fc.constantFrom("BLOCKED", "REQUEST", "LOG", "PROGRESS"), request_id: fc.option(id) }),
  ),
  own("event", fc.record({ severity: fc.constant("fatal"), message: odd })),
  own("complete", fc.record({ result: fc.constantFrom("ok", "failed", "cancelled"), summary: odd })),
  own(
    "signal",
    fc.record({
      signal: fc.oneof(fc.constantFrom(...WORKER_SIGNALS), fc.constantFrom("__proto__", "toString", 7)),
      source: fc.oneof(fc.constantFrom(...STATE_SOURCES), fc.constant("nobody")),
      detail: odd,
      until: fc.oneof(time, odd),
    }),
  ),
  own("custom", fc.constant({})),
  server(
    "worker.spawned",
    fc.record({ attempt: fc.nat(3), pid: fc.nat(3) }).map((more) => ({ ...SPAWNED, ...more })),
  ),
  server("worker.terminated", fc.record({ pid: fc.option(fc.nat(3)), exit_code: fc.option(fc.nat(2)) })),
  server("worker.completed", fc.record({ doubts: odd })),
  server("worker.verified", fc.record({ passed: fc.boolean() })),
  server("worker.rework"),
  server("peer.joined"),
  server("peer.left", fc.record({ reason: fc.constantFrom("crash", "timeout", "clean") })),
  server("peer.stale"),
  server("approval.opened", fc.record({ approvalId: id, requestId: id, message: odd })),
  server("approval.answered", fc.record({ approvalId: id })),
  server("approval.expired", fc.record({ approvalId: id })),
  server("worker.state", fc.record({ state: odd, as_of: odd })),
  fc.record({ topic: fc.constant("cmd.p_1.approve"), data: fc.record({ correlation_id: id }) }),
  fc.constant({ look: true } as const),
  fc.constant({ look: true } as const),
);

const pause = fc.oneof(fc.nat(20_000), fc.nat(1000), fc.nat(7_200_000), fc.integer({ min: -100_000, max: 0 }));
const step: fc.Arbitrary<Step> = fc.tuple(pause, happening).map(([afterMs, what]) => ({ afterMs, ...what }));
/** Now and then the same thing happens twice. */
const story = fc
  .array(fc.tuple(step, fc.boolean()), { maxLength: 60 })
  .map((steps) => steps.flatMap(([each, twice]) => (twice ? [each, { ...each, afterMs: 0 }] : [each])));

interface Moment {
  readonly fact: WorkerFact;
  readonly before: WorkerRecord;
  readonly after: WorkerRecord;
}

/** Plays a story as the daemon does: what has changed is told, and comes back as an event. */
function play(steps: readonly Step[]): { moments: Moment[]; told: ReturnType<typeof stateChangeOf>[] } {
  const moments: Moment[] = [];
  const told: ReturnType<typeof stateChangeOf>[] = [];
  let [worker, now, sequence] = [newWorker("p_1", START), START, 0];
  const take = (fact: WorkerFact): void => {
    const after = reduceWorker(worker, fact);
    moments.push({ fact, before: worker, after });
    worker = after;
  };
  for (const each of steps) {
    now += each.afterMs;
    sequence += 1;
    const from = "topic" in each && each.topic.startsWith("system.") ? "server" : "p_1";
    if ("look" in each) take({ kind: "clock", at: now, listeningSince: START, lastFrame: null });
    else take({ kind: "event", topic: each.topic, from, data: each.data, sequence, at: now });
    if (tellAt(worker) > now) continue;
    const change = stateChangeOf(worker, new Date(now).toISOString());
    told.push(change);
    take({ kind: "event", topic: "system.worker.state", from: "server", data: change, sequence, at: now });
  }
  return { moments, told };
}

const isEnded = ({ verdict }: WorkerRecord): boolean => ENDED_STATES.has(verdict.state);
const topicOf = (fact: WorkerFact): string => (fact.kind === "event" ? fact.topic : "clock");

const RUNS = { numRuns: 500 };

function always(holds: (moment: Moment) => void): void {
  fc.assert(
    fc.property(story, (steps) => play(steps).moments.forEach(holds)),
    RUNS,
  );
}

test("only a report makes anybody finished, and silence never does", () => {
  always(({ fact, before, after }) => {
    if (after.verdict.state !== "finished" || before.verdict.state === "finished") return;
    expect(topicOf(fact)).toBe("worker.p_1.complete");
  });
});

test("whoever has ended stays so until it is started anew, is let out of its phase, or comes back from being away", () => {
  always(({ fact, before, after }) => {
    if (!isEnded(before) || isEnded(after)) return;
    const isBack = topicOf(fact) === "system.peer.joined" && before.life.end?.by === "left";
    const isAnew = topicOf(fact) === "worker.p_1.boot" && before.life.process === "unknown";
    const by = before.life.end?.by;
    const isLetOut = topicOf(fact) === "worker.p_1.phase" && (by === "failed" || by === "reflect");
    expect(isBack || isAnew || isLetOut || topicOf(fact) === "system.worker.spawned").toBe(true);
  });
});

test("what is known never becomes older", () => {
  always(({ before, after }) => expect(after.verdict.asOf).toBeGreaterThanOrEqual(before.verdict.asOf));
});

test("silence is seen as soon as somebody looks, whatever else is the matter", () => {
  always(({ fact, after }) => {
    if (fact.kind !== "clock" || isEnded(after)) return;
    const isSilent = fact.at - Math.max(after.lastSeen ?? 0, fact.listeningSince) > LIMITS.staleMs;
    const { state, reason } = after.verdict;
    expect(state === "stale" || reason.endsWith("; nothing is heard of it")).toBe(isSilent);
  });
});

test("whoever is silent is never said to work", () => {
  always(({ fact, after }) => {
    if (fact.kind !== "clock" || !after.isSilent) return;
    expect(["working", "starting", "hung", "blocked"]).not.toContain(after.verdict.state);
  });
});

test("what is known can be written down and taken up again", () => {
  always(({ after }) => {
    expect(JSON.parse(JSON.stringify(after))).toEqual(after);
    expect(JSON.parse(JSON.stringify(workerViewOf(after)))).toEqual(workerViewOf(after));
  });
});

test("the same is never told twice, and every state is", () => {
  fc.assert(
    fc.property(story, (steps) => {
      const { moments, told } = play(steps);
      told.slice(1).forEach((change, index) => {
        const { state, reason, until } = told[index] ?? {};
        expect(change).not.toMatchObject({ state, reason, until });
        expect(change.previous).toBe(state);
      });
      const last = moments.at(-1)?.after;
      expect(told.at(-1)?.state).toBe(last?.verdict.state);
    }),
    RUNS,
  );
});

test("another reason for the same state is told in time, the last one always", () => {
  fc.assert(
    fc.property(story, fc.nat(60_000), (steps, moreMs) => {
      const { moments } = play(steps);
      const { after: worker = newWorker("p_1", START), fact } = moments.at(-1) ?? {};
      const { told, verdict } = worker;
      if (fact === undefined || told === null || told.reason === verdict.reason) return;
      expect(tellAt(worker)).toBe(told.at + LIMITS.stateReasonMs);
      const later = { afterMs: tellAt(worker) - fact.at + moreMs, look: true } as const;
      const after = play([...steps, later]);
      expect(after.told.at(-1)?.reason).toBe(after.moments.at(-1)?.after.verdict.reason);
    }),
    RUNS,
  );
});
