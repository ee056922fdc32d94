import { matchTopic } from "claw-contract";
import { expect, test } from "vitest";
import { readTopics } from "./topic-pattern.ts";

test("without a pattern everything fits", () => {
  const topics = readTopics(undefined);
  expect([topics.pattern, topics.text, topics.fits("a.b")]).toEqual(["**", "**", true]);
});

test("one pattern is left to the bus, also when it is given twice", () => {
  expect(readTopics(["worker.*.event"]).pattern).toBe("worker.*.event");
  expect(readTopics(["task.**", "task.**"]).pattern).toBe("task.**");
});

test.each([
  [["worker.*.event", "worker.*.phase"], "worker.*.**"],
  [["worker.**", "system.**"], "**"],
  [["task.t_1", "task.t_1.done"], "task.t_1.**"],
  [["a.b.c", "a.b"], "a.b.**"],
])("several are covered by one, which the bus reads, and told apart here: %j", (patterns, cover) => {
  const topics = readTopics(patterns);
  expect(topics.pattern).toBe(cover);
  const examples = [
    "worker.p_1.event",
    "worker.p_1.boot",
    "system.peer.left",
    "task.t_1",
    "task.t_1.done",
    "a.b",
    "a.b.c",
  ];
  for (const topic of examples) {
    const fits = patterns.some((pattern) => matchTopic(pattern, topic));
    expect([topic, topics.fits(topic), !fits || matchTopic(cover, topic)]).toEqual([topic, fits, true]);
  }
});

test("what no topic could fit is refused, wherever it stands", () => {
  expect(() => readTopics(["task.**", "a..b"])).toThrow(
    expect.objectContaining({
      code: "INVALID_FLAG_VALUE",
      target: "--topic",
      message: "'a..b' is not a pattern of topics",
    }),
  );
});
