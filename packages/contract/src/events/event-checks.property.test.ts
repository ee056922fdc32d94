import type * as z from "zod";
import { expect, test } from "vitest";
import { shapeOf } from "../wire/shape-of.ts";
import { countAccepted } from "../wire/testing/near-shape.ts";
import { SentEnvelope } from "./envelope.ts";
import { EVENT_CHECKS, isSentEnvelope } from "./event-checks.generated.ts";
import { schemaByName } from "./registry.ts";

const cases = [
  ["envelope", isSentEnvelope, SentEnvelope] as const,
  ...[...EVENT_CHECKS].map(([name, check]) => [name, check, schemaByName(name) as z.ZodType] as const),
];

test.each(cases)("the check of %s accepts exactly what its schema accepts", (name, check, schema) => {
  const counts = countAccepted(shapeOf(schema, name), check, (value) => schema.safeParse(value).success);
  expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(40);
});
