import { expect, test } from "vitest";
import { describeEvent } from "./describe-event.ts";
import { createPeerNames } from "./peer-names.ts";

const names = createPeerNames();
names.learn({ topic: "system.worker.spawned", from: "server", payload: {}, data: { peerId: "p_2", name: "audit" } });
names.learn({ topic: "cmd.p_2.abort", from: "p_1", payload: { from_name: "lead" }, data: {} });

const tell = (topic: string, data: unknown, from = "server"): string => {
  const { who, text } = describeEvent({ topic, from, data }, (id) => names.of(id));
  return `${who} ${text}`;
};

test.each([
  ["worker.p_2.boot", { model: "m", mission_summary: "count" }, "audit is up: count (m)"],
  ["worker.p_2.phase", { phase: "DEPLOY", transition_reason: "all set" }, "audit enters DEPLOY: all set"],
  [
    "worker.p_2.event",
    { kind: "REQUEST", message: "which?", options: [{ id: "A" }, { id: "B" }] },
    "audit asks: which? (A / B)",
  ],
  ["worker.p_2.event", { kind: "ERROR", severity: "fatal", message: "out of luck" }, "audit fails: out of luck"],
  ["worker.p_2.event", { kind: "PROGRESS", message: "on it", data: { percent: 0.43 } }, "audit gets on: on it (43 %)"],
  [
    "worker.p_2.heartbeat",
    { current_phase: "OBSERVE", current_action: "Bash: ls", tokens_used: 12, cost_usd: 0.5, cost_estimated: true },
    "audit is alive in OBSERVE: Bash: ls (12 tokens, ~$0.50)",
  ],
  [
    "worker.p_2.complete",
    { result: "ok", summary: "done", total_cost_usd: 0.0044 },
    "audit reports ok: done ($0.0044)",
  ],
  ["worker.p_2.signal", { signal: "tool_started", detail: "Bash: ls" }, "audit runs Bash: ls"],
  ["system.worker.state", { peerId: "p_2", state: "needs_input", reason: "it asks" }, "audit needs input: it asks"],
  [
    "system.worker.verified",
    { peerId: "p_2", passed: false, checks: [{ command: "make" }] },
    "audit fails its checks: make",
  ],
  [
    "system.worker.terminated",
    { peerId: "p_2", exit_code: 1, expected: false },
    "audit its process has ended with exit 1 (unexpected)",
  ],
  [
    "system.approval.answered",
    { peerId: "p_2", approvalId: "a_1", decision: "reject", by: "p_1", reason: "no" },
    "audit is refused by lead: no (approval a_1)",
  ],
  [
    "system.budget.exceeded",
    { scope: "fleet", id: "docs", unit: "usd", spent: 1.05, limit: 1 },
    "server the budget of the fleet docs is reached: $1.05 of $1.00",
  ],
  [
    "system.budget.unmeasurable",
    { id: "p_2", model: "my-model", reason: "the price of my-model is not known" },
    "server audit is paused: the price of my-model is not known",
  ],
  ["system.peer.left", { peerId: "p_2", role: "worker", reason: "crash" }, "audit left (worker, crash)"],
])("%s %j is told as: %s", (topic, data, told) => {
  expect(tell(topic, data)).toBe(told);
});

test("a command is told as what its sender does", () => {
  expect(tell("cmd.p_2.abort", { reason: "enough" }, "p_1")).toBe("audit lead tells it to stop: enough");
  expect(tell("cmd.p_2.inject_text", { text: "two\nlines" }, "p_1")).toBe("audit lead says: two lines");
});

test("what nobody knows is shown with its topic, and its JSON whole or not at all", () => {
  expect(tell("note.x", { a: 1 }, "p_9")).toBe('p_9 note.x  {"a":1}');
  expect(tell("note.x", { a: "x".repeat(300), b: 1 }, "p_9")).toBe("p_9 note.x (with a, b)");
  for (const data of [null, undefined, 7, "text", [1], { kind: {} }]) {
    expect(() => tell("worker.p_2.event", data)).not.toThrow();
    expect(() => tell("system.worker.state", data)).not.toThrow();
  }
  // Only the server speaks as the system.
  expect(tell("system.worker.state", { peerId: "p_2", state: "failed" }, "p_9")).toContain("system.worker.state");
});
