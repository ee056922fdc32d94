import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createSubjects, decodeTopic, encodeTopic, requireSegment } from "./subjects.ts";

/** Topics of older clients may have any characters; a lone surrogate is no text. */
const topics = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.constantFrom("", ".", "%", "*", ">", " ", "é", "a")).map((parts) => parts.join("")),
);

test("every topic stands in a subject of NATS, and is read from the subject as it was", () => {
  const subjects = createSubjects("team");
  fc.assert(
    fc.property(topics, (topic) => {
      const subject = subjects.of("laptop", topic);
      expect(subject).toMatch(/^claw\.team\.laptop(\.[A-Za-z0-9_%-]+)+$/);
      expect(subjects.read(subject)).toEqual({ machine: "laptop", topic });
    }),
    { numRuns: 500 },
  );
});

test("two topics never share a subject", () => {
  fc.assert(
    fc.property(topics, topics, (one, two) => {
      expect(encodeTopic(one) === encodeTopic(two)).toBe(one === two);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["worker.p_000001.boot", "worker.p_000001.boot"],
  ["", "%"],
  ["a..b", "a.%.b"],
  ["a b.é", "a%20b.%C3%A9"],
  ["100%", "100%25"],
])("the topic %j is %j in a subject", (topic, text) => {
  expect(encodeTopic(topic)).toBe(text);
  expect(decodeTopic(text)).toBe(topic);
});

test.each(["", "a.b", "*", ">", "a b", "x".repeat(65), "é"])("%j is no name of a cluster or a machine", (name) => {
  expect(() => requireSegment("--machine", name)).toThrow(expect.objectContaining({ code: "INVALID_FLAG_VALUE" }));
});
