import { expect, test } from "vitest";
import { LIMITS } from "@claw/contract";
import { readOrder } from "./worker-order.ts";
import { freeName, nameFor } from "./worker-name.ts";

const ORDER = { harness: "fake", mission: "do it" };

test("an order needs an agent and a mission, and everything else has a default", () => {
  expect(readOrder(ORDER, "/here")).toEqual({
    name: undefined,
    harness: "fake",
    mode: "headless",
    mission: "do it",
    model: null,
    cwd: "/here",
    parentId: null,
    fleet: null,
    worktree: null,
    checks: [],
    budget: null,
    trouble: { stale: "alert", hung: "nudge", crash: "restart", restarts: 3 },
    env: {},
    scenario: null,
    permissionMode: null,
  });
});

test.each([
  ["no mission", { mission: "  " }],
  ["an agent nobody knows", { harness: "other" }],
  ["a name that looks like an id", { name: "p_000001" }],
  ["a name that is a path", { name: "../x" }],
  ["a budget below zero", { budget: { usd: -1 } }],
  ["a budget that is no number", { budget: { tokens: "many" } }],
  ["an action nobody knows", { trouble: { crash: "pray" } }],
  ["a permission mode nobody knows", { permission_mode: "all" }],
])("an order with %s is refused", (_what, change) => {
  expect(() => readOrder({ ...ORDER, ...change }, "/here")).toThrow(
    expect.objectContaining({ code: "INVALID_FLAG_VALUE" }),
  );
});

test("a mission that is too long is refused", () => {
  const mission = "x".repeat(LIMITS.workerMissionBytes + 1);
  expect(() => readOrder({ ...ORDER, mission }, "/here")).toThrow(
    expect.objectContaining({ code: "REQUEST_TOO_LARGE" }),
  );
});

test("a name tells what the mission is about, and is the agent's where it has no words", () => {
  expect(nameFor("Please fix the failing test of the parser", "codex")).toBe("fix-failing-test");
  expect(nameFor("日本語", "codex")).toBe("codex");
  expect(nameFor("42", "claw")).toBe("claw");
});

test("a name that is taken gets a number", () => {
  const taken = new Set(["fix", "fix-2"]);
  expect(freeName("fix", (name) => taken.has(name))).toBe("fix-3");
});

test.each([
  ["a variable whose name no environment can hold", { env: { "A=B": "x" } }],
  ["a variable without a name", { env: { "": "x" } }],
  ["a zero byte in a variable", { env: { A: "x\0y" } }],
  ["a zero byte in its scenario", { scenario: "te\0xt" }],
  ["a zero byte in its folder", { cwd: "/tmp/\0" }],
  ["a zero byte in its mission", { mission: "a\0b" }],
  ["a zero byte in a check", { checks: ["true\0"] }],
  ["a zero byte in a file to bring along", { worktree: { include: ["a\0"] } }],
  ["more checks than anybody waits for", { checks: Array.from({ length: 1000 }, () => "true") }],
  ["a command longer than a line", { worktree: { setup: ["x".repeat(100_000)] } }],
])("an order with %s is refused before anything is made", (_what, change) => {
  expect(() => readOrder({ ...ORDER, ...change }, "/here")).toThrow(
    expect.objectContaining({ code: "INVALID_FLAG_VALUE" }),
  );
});
