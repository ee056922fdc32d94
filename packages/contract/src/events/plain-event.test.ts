import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SentEnvelope } from "./envelope.ts";
import { isPlainEnvelope, PLAIN_EVENTS } from "./plain-event.ts";
import { schemaByName } from "./registry.ts";
import { EVENT_DETAILS, EVENT_KINDS, SEVERITIES } from "./worker-event.ts";

/** Values near the border of what the schemas accept. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, "", "x", 0, -1, 0.5, Number.NaN, Infinity, true, [], {}, "y".repeat(129)),
  fc.constantFrom(...SEVERITIES, ...EVENT_KINDS, "PLAN", "2026-02-30T00:00:00.000Z", "2026-02-28T23:59:59.999Z"),
  fc.uuid(),
);

const mostly = <Value>(usual: fc.Arbitrary<Value>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 9, arbitrary: usual as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: odd });

const seldom = fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: odd });

const details = fc.record(
  Object.fromEntries(
    [...new Set(Object.values(EVENT_DETAILS).flatMap((own) => Object.keys(own)))].map((n) => [n, odd]),
  ),
  { requiredKeys: [] },
);

const workerEvent = fc
  .tuple(
    fc.record({
      kind: mostly(fc.constantFrom(...EVENT_KINDS)),
      severity: mostly(fc.constantFrom(...SEVERITIES)),
      message: mostly(fc.string({ minLength: 1 })),
      request_id: mostly(fc.string({ minLength: 1 })),
      data: mostly(fc.oneof(fc.constant({}), details)),
    }),
    fc.oneof(fc.constant({}), details),
  )
  .map(([event, beside]) => ({ ...beside, ...event }));

const heartbeat = fc.record(
  {
    current_phase: mostly(fc.constant("PLAN")),
    time_in_phase_ms: mostly(fc.nat()),
    tokens_used: mostly(fc.nat()),
    cost_usd: mostly(fc.nat()),
    severity: odd,
  },
  { requiredKeys: ["current_phase", "time_in_phase_ms", "tokens_used", "cost_usd"] },
);

const envelope = fc.record({
  v: mostly(fc.constant(1)),
  id: mostly(fc.uuid()),
  from_peer: mostly(fc.constant("p_000001")),
  from_name: mostly(fc.constant("worker")),
  ts_published: mostly(fc.date({ noInvalidDate: true }).map((date) => date.toISOString())),
  schema: mostly(fc.constant("worker-event-v1")),
  correlation_id: mostly(fc.string({ minLength: 1 })),
  parent_id: seldom,
  terminal_id: seldom,
  ts_server: seldom,
  sequence: seldom,
  data: odd,
});

const RUNS = { numRuns: 3000 };

/** Saying yes must mean that the schema does; how often it says yes shows that the check is worth having. */
function agrees(
  arbitrary: fc.Arbitrary<unknown>,
  plain: (value: never) => boolean,
  accepts: (value: unknown) => boolean,
) {
  let yes = 0;
  fc.assert(
    fc.property(arbitrary, (value) => {
      if (!plain(value as never)) return true;
      yes += 1;
      return accepts(value);
    }),
    RUNS,
  );
  expect(yes).toBeGreaterThan(RUNS.numRuns / 50);
}

test("an envelope taken for plain is one that the schema accepts", () => {
  agrees(envelope, isPlainEnvelope, (value) => SentEnvelope.safeParse(value).success);
});

test.each([
  ["worker-event-v1", workerEvent],
  ["worker-heartbeat-v1", heartbeat],
])("data of %s taken for plain is what the schema accepts", (name, arbitrary) => {
  const plain = PLAIN_EVENTS.get(name) ?? (() => false);
  agrees(arbitrary, plain, (value) => schemaByName(name)?.safeParse(value).success === true);
});

test.each([...PLAIN_EVENTS.keys()])("what is not an object is never taken for plain data of %s", (name) => {
  fc.assert(fc.property(odd, (value) => PLAIN_EVENTS.get(name)?.(value) === false));
});
