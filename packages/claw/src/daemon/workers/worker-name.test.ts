import { expect, test } from "vitest";
import { freeName, nameFor } from "./worker-name.ts";

test("a name tells what the mission is about, and is the agent's where it has no words", () => {
  expect(nameFor("Please fix the failing test of the parser", "codex")).toBe("fix-failing-test");
  expect(nameFor("日本語", "codex")).toBe("codex");
  expect(nameFor("42", "claw")).toBe("claw");
});

test("a name that is taken gets a number", () => {
  const taken = new Set(["fix", "fix-2"]);
  expect(freeName("fix", (name) => taken.has(name))).toBe("fix-3");
});
