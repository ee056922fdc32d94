import { describe, expect, expectTypeOf, test } from "vitest";
import { countAccepted } from "../wire/testing/near-shape.ts";
import { shapeOf } from "../wire/shape-of.ts";
import { EVENTS, schemaForTopic } from "./registry.ts";
import { eventNameOf, eventSchema } from "./small-schemas.ts";

const topicAt = (address: string): string => address.replaceAll(/\{(\w+)\}/g, "$1").replace("**", "more");

describe.each(EVENTS)("$name", ({ name, schema, address }) => {
  test("accepts what the whole schema accepts", () => {
    const small = eventSchema(name);
    const accepts = (data: unknown): boolean => schema.safeParse(data).success;
    const counts = countAccepted(shapeOf(schema, name), (data) => small.safeParse(data).success, accepts);
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(20);
  });

  test("is the schema of its topics", () => {
    expect(eventNameOf(topicAt(address))).toBe(schemaForTopic(topicAt(address))?.name);
  });
});

test("keeps fields that the schema does not name, and gives the data its type", () => {
  const ack = eventSchema("cmd-ack-v1").parse({ seq: 4, status: "executed", more: true });
  expectTypeOf(ack.seq).toEqualTypeOf<number>();
  expect(ack).toEqual({ seq: 4, status: "executed", more: true });
});

test.each(["worker", "other.topic", "not a topic", ""])("%j has no schema", (topic) => {
  expect(eventNameOf(topic)).toBeUndefined();
});
