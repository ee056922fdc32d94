import { expect, test } from "vitest";
import { requestReader, requestSpec } from "../../wire-table.ts";

const read = (fields: Readonly<Record<string, unknown>>) => requestReader("worker.spawn")?.(fields);
const SPAWN = { harness: "fake", mission: "do it" };

test("a spawn needs an agent and a mission, and everything else has a default", () => {
  expect(read(SPAWN)).toEqual({
    kind: "read",
    fields: {
      name: null,
      on: null,
      harness: "fake",
      mode: "headless",
      mission: "do it",
      model: null,
      cwd: null,
      parent_id: null,
      fleet: null,
      worktree: null,
      checks: [],
      budget: null,
      trouble: { stale: "alert", hung: "nudge", crash: "restart", restarts: 3 },
      env: {},
      scenario: null,
      key: null,
      permission_mode: null,
    },
  });
});

test("absent parts of an object have their defaults, and unknown parts are left out", () => {
  const given = {
    trouble: { crash: "alert", restarts: "many", more: 1 },
    worktree: { setup: ["true"], include: null },
  };
  expect(read({ ...SPAWN, ...given })).toMatchObject({
    fields: {
      trouble: { stale: "alert", hung: "nudge", crash: "alert", restarts: 3 },
      worktree: { setup: ["true"] },
    },
  });
});

test.each([
  ["no mission", "mission", { mission: "  " }],
  ["an agent nobody knows", "harness", { harness: "other" }],
  ["a name that looks like an id", "name", { name: "p_000001" }],
  ["a name that is a path", "name", { name: "../x" }],
  ["a budget below zero", "budget", { budget: { usd: -1 } }],
  ["a budget that is no number", "budget", { budget: { tokens: "many" } }],
  ["an action nobody knows", "trouble", { trouble: { crash: "pray" } }],
  ["a permission mode nobody knows", "permission_mode", { permission_mode: "all" }],
  ["a model that is no text", "model", { model: 5 }],
  ["a variable whose name no environment can hold", "env", { env: { "A=B": "x" } }],
  ["a variable without a name", "env", { env: { "": "x" } }],
  ["a zero byte in a variable", "env", { env: { A: "x\0y" } }],
  ["a zero byte in its scenario", "scenario", { scenario: "te\0xt" }],
  ["a zero byte in its folder", "cwd", { cwd: "/tmp/\0" }],
  ["a zero byte in its mission", "mission", { mission: "a\0b" }],
  ["a zero byte in a check", "checks", { checks: ["true\0"] }],
  ["a zero byte in a file to bring along", "worktree", { worktree: { include: ["a\0"] } }],
  ["more checks than anybody waits for", "checks", { checks: Array.from({ length: 1000 }, () => "true") }],
  ["a command longer than a line", "worktree", { worktree: { setup: ["x".repeat(100_000)] } }],
])("a spawn with %s is refused with a text about %s", (_what, field, change) => {
  expect(requestSpec("worker.spawn").code).toBe("INVALID_FLAG_VALUE");
  expect(read({ ...SPAWN, ...change })).toEqual({
    kind: "refused",
    field,
    problem: expect.any(String) as string,
    refusal: expect.stringContaining(field === "name" ? "name" : field.replace("_mode", "")) as string,
  });
});

test("a long mission with a zero byte at its end is refused without trying every way to read it", () => {
  expect(read({ ...SPAWN, mission: `${"word ".repeat(200_000)}\0` })).toMatchObject({ kind: "refused" });
});
