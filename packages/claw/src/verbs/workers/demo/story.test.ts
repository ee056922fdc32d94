import type { EventItem } from "claw-client";
import { expect, test } from "vitest";
import { demoTimeLeft } from "./audience.ts";
import { narrate } from "./narrate.ts";
import { createStory } from "./story.ts";

const event = (topic: string, data: object): EventItem => ({ kind: "event", topic, data }) as unknown as EventItem;
const spawned = event("system.worker.spawned", { peerId: "p_1", name: "timing", pid: 77, attempt: 1 });
const toolEnded = (detail: string): EventItem => event("worker.p_1.signal", { signal: "tool_ended", detail });

test("the worker that is to be killed is killed once, and not before its file is written", () => {
  const story = createStory();
  const killed = [spawned, toolEnded("Bash"), toolEnded("Write"), toolEnded("Write")].map((item) => {
    story.take(item);
    return story.isTimeToKill();
  });
  expect(killed).toEqual([false, false, true, false]);
  expect(story.pidOf("timing")).toBe(77);
});

test("a question that nobody answers in time is a refusal, and no problem of the demonstration", () => {
  const story = createStory();
  story.take(spawned);
  story.take(event("system.approval.expired", { peerId: "p_1", approvalId: "a_1", reason: "deadline" }));
  story.take(event("system.worker.verified", { peerId: "p_1", passed: false }));
  expect(story.problem()).toBeNull();
});

test.each([
  ["system.worker.state", { state: "failed", reason: "it crashed" }, "failed: it crashed"],
  ["system.worker.state", { state: "stale", reason: "no sign of life" }, "is silent: no sign of life"],
  ["system.approval.answered", { decision: "approve" }, "got permission"],
  ["system.approval.answered", { decision: "reject" }, "was refused permission"],
  ["system.approval.expired", { reason: "deadline" }, "was refused permission: the time for an answer is over"],
])("%s %j is told as a sentence about the worker", (topic, data, text) => {
  expect(narrate(event(topic, { ...data, peerId: "p_1" }), () => "timing")).toMatchObject({ worker: "timing", text });
});

test("the time left is shown as a clock shows it, and is never less than nothing", () => {
  expect([demoTimeLeft(90_000, 0), demoTimeLeft(61_001, 1000), demoTimeLeft(900, 0), demoTimeLeft(0, 5000)]).toEqual([
    "1:30 left",
    "1:01 left",
    "0:01 left",
    "0:00 left",
  ]);
});
