import { expect, test } from "vitest";
import { wholeCommands, workerRedactor, freeName, nameFor } from "./worker-job.ts";

const SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const redactor = workerRedactor({}, { env: { MY_TOKEN: "correct-horse-battery" } });

test("commands that were told without their secrets are run with them", () => {
  const kept = [`fetch --with ${SECRET}`, "echo correct-horse-battery", "npm test"];
  const told = kept.map((command) => redactor.redactText(command));
  expect(told.join(" ")).not.toMatch(/ghp_|horse/);
  expect(wholeCommands(told, kept, redactor)).toEqual(kept);
});

test("a command that is not what everybody was told of is not run instead", () => {
  expect(wholeCommands(["npm test"], ["true"], redactor)).toEqual(["npm test"]);
  expect(wholeCommands(["npm test"], undefined, redactor)).toEqual(["npm test"]);
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
