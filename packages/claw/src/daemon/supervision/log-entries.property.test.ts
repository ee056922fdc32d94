import { createRedactor, PHASES } from "claw-contract";
import type { BusEvent } from "claw-contract/schemas";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isLogEntry, isStoredLogEntry } from "../../bus/publish/log-entry.ts";
import { createPhaseRecords } from "../../bus/state/phase-records.ts";
import type { StoredEvent } from "../../bus/index.ts";
import type { Projections, StoredProjection } from "../../bus/state/projection.ts";
import { createProjections } from "../../bus/state/projection.ts";
import { spawnedEvent } from "../testing/spawned-event.ts";
import { createWorkerRegistry } from "../worker-registry/worker-registry.ts";
import { createApprovalMemory } from "./approvals/approval-memory.ts";
import { createBudgetMemory } from "./budgets/budget-memory.ts";
import { createWorkerMap } from "./states/worker-map.ts";

const PEERS = ["p_000001", "p_000002"] as const;
const START = Date.parse("2026-01-01T00:00:00.000Z");

type Fields = Record<string, unknown>;
interface Step {
  readonly topic: string;
  readonly from: string;
  readonly data: Fields;
  readonly afterMs: number;
}

const own = (action: string, data: fc.Arbitrary<Fields>) =>
  fc.tuple(fc.constantFrom(...PEERS), data).map(([from, fields]) => ({
    topic: `worker.${from}.${action}`,
    from: from as string,
    data: fields,
  }));
const server = (topic: string, data: fc.Arbitrary<Fields>) =>
  fc.tuple(fc.constantFrom(...PEERS), data).map(([peerId, fields]) => ({
    topic: `system.${topic}`,
    from: "server",
    data: { peerId, ...fields } as Fields,
  }));

const details = fc.record(
  {
    request_id: fc.constantFrom("r1", "r2"),
    correlation_id: fc.constant("c1"),
    data: fc.constant({ withdrawn: true }),
  },
  { requiredKeys: [] },
);
const entry = fc
  .tuple(fc.constantFrom("info", "warn", "error", "fatal"), fc.constantFrom("it is", 'said "fatal"'), details)
  .map(([severity, message, more]) => ({ kind: "LOG", severity, message, ...more }));

const happening = fc.oneof(
  { weight: 4, arbitrary: own("event", fc.constant({ kind: "LOG", severity: "info", message: "done" })) },
  { weight: 2, arbitrary: own("event", entry) },
  own("boot", fc.constant({ model: "m" })),
  own("phase", fc.record({ phase: fc.constantFrom(...PHASES) })),
  own("event", fc.constantFrom({ kind: "REQUEST", severity: "info", message: "may I?", request_id: "r1" })),
  own("heartbeat", fc.record({ tokens_used: fc.nat(9), cost_usd: fc.nat(9) })),
  own(
    "signal",
    fc.record({
      signal: fc.constantFrom("turn_started", "turn_ended", "rate_limited"),
      source: fc.constant("stream"),
      detail: fc.constant("x"),
      until: fc.constantFrom("2026-01-01T02:00:00.000Z", null),
    }),
  ),
  own("complete", fc.constant({ result: "ok", summary: "done" })),
  server("peer.joined", fc.constant({ role: "worker", peerName: "lexer" })),
  server("peer.left", fc.constant({ reason: "crash" })),
  server("worker.spawned", fc.constantFrom(...PEERS.map((peerId) => ({ ...spawnedEvent(peerId) })))),
  server("worker.terminated", fc.constant({ expected: false })),
  server(
    "worker.state",
    fc.record({
      state: fc.constantFrom("stale", "hung", "working"),
      source: fc.constant("clock"),
      reason: fc.constant("told"),
      evidence: fc.constant(null),
      until: fc.constant(null),
    }),
  ),
);
const story = fc.array(
  fc
    .tuple(happening, fc.integer({ min: -1000, max: 3_600_000 }))
    .map(([step, afterMs]): Step => ({ ...step, afterMs })),
  { maxLength: 40 },
);

/** The memories that match the topic of log entries. */
function createMemories(): readonly StoredProjection[] {
  const registry = createWorkerRegistry();
  return [
    createPhaseRecords(),
    registry.memory,
    createWorkerMap().memory,
    createApprovalMemory(createRedactor(), registry).projection,
    createBudgetMemory((iso) => iso.slice(0, 10), registry),
  ];
}

const isEntry = ({ topic, from, data }: Step): boolean =>
  topic.endsWith(".event") &&
  isLogEntry({ topic, schema: "worker-event-v1", data, envelope: null } as unknown as BusEvent, { id: from });

/** The state that follows from the steps. */
function follow(steps: readonly Step[], take: (projections: Projections, step: Step) => (event: StoredEvent) => void) {
  const memories = createMemories();
  const projections = createProjections(() => memories);
  let at = START;
  for (const [index, step] of steps.entries()) {
    at += step.afterMs;
    const { topic, from, data } = step;
    const tsServer = new Date(at).toISOString();
    const fields = { as_of: tsServer, ...data };
    const schema = topic.endsWith(".event") ? "worker-event-v1" : "other-v1";
    const payload = JSON.stringify(index % 3 === 0 ? fields : { v: 1, from_peer: from, schema, data: fields });
    take(projections, step)({ topic, from, tsServer, payload, sequence: index + 1 });
  }
  return JSON.stringify(memories.map((memory) => memory.save()));
}

test("a log entry that is taken in by its time leaves the same state as the whole event", () => {
  fc.assert(
    fc.property(story, (steps) => {
      const whole = follow(steps, (projections) => (event) => projections.apply(event, true));
      const short = follow(steps, (projections, step) =>
        isEntry(step) ? (event) => projections.applyLogEntry(event, true) : (event) => projections.apply(event, true),
      );
      const byText = follow(steps, (projections) => (event) => {
        if (isStoredLogEntry(event)) projections.applyLogEntry(event, false);
        else projections.apply(event, false);
      });
      expect([short, byText]).toEqual([whole, whole]);
    }),
    { numRuns: 500 },
  );
});
