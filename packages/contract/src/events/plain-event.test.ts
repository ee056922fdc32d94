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

const mostly = (usual: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: odd });

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

const RUNS = 3000;
const OFTEN = RUNS / 50;

/** How often a check says yes. Throws when it does so to a value that the schema refuses. */
function countAgreements(
  arbitrary: fc.Arbitrary<unknown>,
  plain: (value: never) => boolean,
  accepts: (value: unknown) => boolean,
): number {
  let yes = 0;
  const property = fc.property(arbitrary, (value) => {
    if (!plain(value as never)) return true;
    yes += 1;
    return accepts(value);
  });
  fc.assert(property, { numRuns: RUNS });
  return yes;
}

test("an envelope taken for plain is one that the schema accepts", () => {
  const accepts = (value: unknown): boolean => SentEnvelope.safeParse(value).success;
  expect(countAgreements(envelope, isPlainEnvelope, accepts)).toBeGreaterThan(OFTEN);
});

test.each([
  ["worker-event-v1", workerEvent],
  ["worker-heartbeat-v1", heartbeat],
])("data of %s taken for plain is what the schema accepts", (name, arbitrary) => {
  const plain = PLAIN_EVENTS.get(name) ?? (() => false);
  const accepts = (value: unknown): boolean => schemaByName(name)?.safeParse(value).success === true;
  expect(countAgreements(arbitrary, plain, accepts)).toBeGreaterThan(OFTEN);
});

test.each([...PLAIN_EVENTS.keys()])("what is no object with fields is never taken for plain data of %s", (name) => {
  const values: unknown[] = fc.sample(odd, 500);
  expect(values.filter((value) => PLAIN_EVENTS.get(name)?.(value) === true)).toEqual([]);
});
