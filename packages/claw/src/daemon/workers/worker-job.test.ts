import { expect, test } from "vitest";
import { wholeCommands, workerRedactor } from "./worker-job.ts";

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
