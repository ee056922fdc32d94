import { describe, expect, test } from "vitest";
import { countAccepted } from "../wire/testing/near-shape.ts";
import { shapeOf } from "../wire/shape-of.ts";
import { createPublishChecks } from "./event-check.ts";
import { EVENT_LIMITS } from "./event-limits.ts";
import { readEvent } from "./read-event.ts";
import { EVENTS, schemaForTopic } from "./registry.ts";

const { nameOf, problemsOf } = createPublishChecks();

/** A topic of an address. */
const topicAt = (address: string): string => address.replaceAll(/\{(\w+)\}/g, "$1").replace("**", "more");

const published = EVENTS.filter(({ address }) => /^(?:worker|cmd|task|rpc)\./.test(address));

describe.each(published)("$name", ({ name, schema, address }) => {
  const topic = topicAt(address);

  test("is the schema of its topics", () => {
    expect(nameOf(topic)).toBe(schemaForTopic(topic)?.name);
  });

  test("is checked as the bus checks it", () => {
    const fits = (data: unknown): boolean => problemsOf(topic, { data, schema: name }).length === 0;
    const accepts = (data: unknown): boolean => readEvent(topic, { data, schema: name }).ok;
    const counts = countAccepted(shapeOf(schema, name), fits, accepts);
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(20);
  });
});

test.each(["system.heartbeat", "wave.W1.complete", "note.mine"])("an event on %s is left to the bus", (topic) => {
  expect([nameOf(topic), problemsOf(topic, { data: {} })]).toEqual([undefined, []]);
});

test.each([
  ["Not A Topic", { data: {} }, "invalid_topic", "topic"],
  ["worker.p_1.phase", { data: {}, id: "5" }, "invalid_value", "id"],
  ["worker.p_1.phase", { data: {}, schema: "worker-phase-v9" }, "invalid_schema", "schema"],
  ["cmd.p_1.reject", { data: { correlation_id: "r" } }, "invalid_value", "data.reason"],
])("%s with %j is wrong", (topic, envelope, code, path) => {
  expect(problemsOf(topic, envelope).map((problem) => [problem.code, problem.path.join(".")])).toEqual([[code, path]]);
});

test("names as many problems as the bus does", () => {
  const data = { summary: "s", result: "ok", phases_completed: [], artifacts: Array.from({ length: 900 }, () => 1) };
  expect(problemsOf("worker.p_1.complete", { data })).toHaveLength(EVENT_LIMITS.problems);
});
