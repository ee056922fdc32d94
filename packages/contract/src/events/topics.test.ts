import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EVENT_LIMITS } from "./event-limits.ts";
import { isTopic, isTopicPattern, matchSegments, matchTopic } from "./topics.ts";

/** The definition, written down as plainly as possible and exponential on purpose. */
function naive(pattern: readonly string[], topic: readonly string[]): boolean {
  const [head, ...rest] = pattern;
  if (head === undefined) return topic.length === 0;
  if (head === "**") return naive(rest, topic) || (topic.length > 0 && naive(pattern, topic.slice(1)));
  const fits = topic.length > 0 && (head === "*" || head === "+" || head === topic[0]);
  return fits && naive(rest, topic.slice(1));
}

const literal = fc.constantFrom("a", "b", "c");
const topicArb = fc.array(literal, { minLength: 1, maxLength: 6 });
const patternArb = fc.array(fc.oneof(literal, fc.constantFrom("*", "+", "**")), { minLength: 1, maxLength: 6 });

describe("topics", () => {
  test.each([
    "worker.p_000001.boot",
    "worker.fp_0123456789ab.event",
    "cmd.p7.set_phase",
    "cmd.role.worker",
    "lifecycle.phase-changed",
    "system.terminal.12.alive",
    "task.status",
    "wave.W3-auth.lead.boot",
    "tool.mcp__claws__claws_publish.invoked",
    "rpc.response.p_000002.1b4e28ba-2fa1-4d3b-883f-0016d3cca427",
    "system",
  ])("%s is a topic and a pattern of itself", (topic) => {
    expect([isTopic(topic), isTopicPattern(topic), matchTopic(topic, topic)]).toEqual([true, true, true]);
  });

  test.each([
    "",
    ".",
    "a.",
    ".a",
    "a..b",
    "a b",
    "a.b\n",
    "Worker.x",
    "_a",
    "a.b/c",
    "a.ü",
    "a.\u0000",
    "a.p_*",
    "a.>",
  ])("%j is neither a topic nor a pattern", (value) => {
    expect([isTopic(value), isTopicPattern(value)]).toEqual([false, false]);
  });

  test.each(["*", "+", "**", "worker.*.boot", "worker.+.complete", "a.**.z", "**.boot", "**.**"])(
    "%s is a pattern and no topic",
    (pattern) => {
      expect([isTopic(pattern), isTopicPattern(pattern)]).toEqual([false, true]);
    },
  );

  test.each([null, undefined, 1, {}, [], ["a.b"], true])("%j is neither", (value) => {
    expect([isTopic(value), isTopicPattern(value)]).toEqual([false, false]);
  });

  test("length and number of segments are limited", () => {
    const longest = "a".repeat(EVENT_LIMITS.topicLength);
    const deepest = Array.from({ length: EVENT_LIMITS.topicSegments }, () => "a").join(".");
    expect([longest, `${longest}a`, deepest, `${deepest}.a`].map(isTopic)).toEqual([true, false, true, false]);
    expect([longest, `${longest}a`, deepest, `${deepest}.a`].map(isTopicPattern)).toEqual([true, false, true, false]);
  });

  test.each([
    ["worker.*.boot", "worker.p1.boot", true],
    ["worker.+.boot", "worker.p1.boot", true],
    ["worker.*", "worker.p1.boot", false],
    ["worker.**", "worker.p1.boot", true],
    ["worker.**", "worker", true],
    ["a.**.z", "a.z", true],
    ["a.**.z", "a.b.c.z", true],
    ["a.**.z", "a.b.c", false],
    ["**", "system.peer.joined", true],
    ["**.boot", "worker.p1.boot", true],
    ["**.*", "a", true],
    ["*.**.*", "a", false],
    ["worker.p1.boot", "worker.P1.boot", false],
    ["**.a.**.b", "a.x.a.b.c.b", true],
  ])("%s against %s gives %s", (pattern, topic, expected) => {
    expect(matchTopic(pattern, topic)).toBe(expected);
  });

  test("what is not well formed matches nothing", () => {
    expect(matchTopic("**", "")).toBe(false);
    expect(matchTopic("**", "a.*")).toBe(false);
    expect(matchTopic("a*", "a*")).toBe(false);
    expect(matchTopic("**", "a.".repeat(1_000_000))).toBe(false);
  });

  test("matching agrees with the plain definition", () => {
    fc.assert(
      fc.property(patternArb, topicArb, (pattern, topic) => {
        expect(matchTopic(pattern.join("."), topic.join("."))).toBe(naive(pattern, topic));
      }),
      { numRuns: 2000 },
    );
  });

  test("a thousand recursive wildcards come to an end", () => {
    const pattern = Array.from({ length: 2000 }, (_, index) => (index % 2 === 0 ? "**" : "a"));
    const topic = Array.from({ length: 2000 }, () => "a");
    expect(matchSegments([...pattern, "b"], topic)).toBe(false);
  });

  test("arbitrary strings never throw", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (pattern, topic) => {
        expect(typeof matchTopic(pattern, topic)).toBe("boolean");
      }),
    );
  });
});
