import { EVENT_CHECKS, isSentEnvelope } from "../packages/contract/src/events/event-checks.generated.ts";
import { schemaByName, SentEnvelope } from "../packages/contract/src/events/index.ts";
import type { Check } from "../packages/contract/src/wire/check-shape.ts";
import { checkOf } from "../packages/contract/src/wire/check-shape.ts";
import { shapeOf } from "../packages/contract/src/wire/shape-of.ts";
import { sizeOf } from "./effort.ts";
import { interleave, median } from "./measure.ts";
import type { Progress, Row } from "./suite.ts";
import { row } from "./suite.ts";

const ROUNDS = sizeOf(60, 1);
const CHECKS = 10_000;

const DATA = {
  "worker-event-v1": {
    kind: "PROGRESS",
    severity: "info",
    message: "step 3 of 10",
    data: { percent: 0.3, current_step: 3, total_steps: 10 },
  },
  "worker-heartbeat-v1": { current_phase: "OBSERVE", time_in_phase_ms: 1000, tokens_used: 1200, cost_usd: 0.2 },
};

type Envelope = Readonly<Record<"data", unknown>>;

/** Envelopes as the bus gets them: parsed from lines, a different id in each. */
const envelopes = (schema: string, data: object): Envelope[] =>
  Array.from({ length: 200 }, (_, index) => {
    const ts_published = new Date(1_767_225_600_000 + index * 3_600_000).toISOString();
    const fields = { v: 1, id: crypto.randomUUID(), from_peer: "p_000001", from_name: "worker", ts_published, schema };
    return JSON.parse(JSON.stringify({ ...fields, data })) as Envelope;
  });

/** Checks envelopes and their data many times. Throws when a check refuses one. */
const repeat = (values: readonly Envelope[], checkEnvelope: Check, checkData: Check) => async (): Promise<void> => {
  for (let index = 0; index < CHECKS; index += 1) {
    const value = values[index % values.length] as Envelope;
    if (!checkEnvelope(value) || !checkData(value.data)) throw new Error("a check refuses an event that is right");
  }
};

async function measureEvent(name: keyof typeof DATA, progress: Progress): Promise<Row[]> {
  const [values, schema, generated] = [envelopes(name, DATA[name]), schemaByName(name), EVENT_CHECKS.get(name)];
  if (schema === undefined || generated === undefined) throw new Error(`nothing checks ${name}`);
  const contenders = {
    generated: repeat(values, isSentEnvelope, generated),
    shape: repeat(values, checkOf(shapeOf(SentEnvelope, "envelope")), checkOf(shapeOf(schema, name))),
    zod: repeat(
      values,
      (value) => SentEnvelope.safeParse(value).success,
      (value) => schema.safeParse(value).success,
    ),
  };
  const { generated: ours, shape, zod } = await interleave(contenders, ROUNDS, progress);
  return [
    row(`${name}: generated check`, (median(ours) * 1e6) / CHECKS, "ns"),
    row(`${name}: generated check / zod`, median(ours) / median(zod), "times", { atMost: 0.3 }),
    row(`${name}: check of a shape / zod`, median(shape) / median(zod), "times"),
  ];
}

/** Checking the events that are published most, in one process. */
export const schemas = async (progress: Progress): Promise<Row[]> => [
  ...(await measureEvent("worker-event-v1", progress)),
  ...(await measureEvent("worker-heartbeat-v1", progress)),
];
