import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { findTrial, storeTrial } from "../../about/sandbox-trials.ts";
import { createTestPorts } from "../../testing/test-ports.ts";
import { recentTrial } from "./recent-trial.ts";

function openPlace() {
  const cwd = temporaryFolder(onTestFinished);
  const state = temporaryFolder(onTestFinished);
  const env = { HOME: state, XDG_STATE_HOME: state, PATH: process.env["PATH"] };
  const record = join(state, "claw", "sandbox-trials.json");
  return { ports: createTestPorts(cwd, { env }), place: { workspace: cwd, env }, record };
}

test("without a stored trial nothing is known, and the trial that was made then is stored", () => {
  const { ports, place } = openPlace();
  const trial = recentTrial(ports, {});
  expect(trial.works).toBeUndefined();
  expect(findTrial(place, Date.now())).toBeUndefined();
  trial.store();
  const stored = findTrial(place, Date.now());
  expect(recentTrial(ports, {}).works).toBe(stored?.kind === "bubblewrap");
});

test.each([
  [{ kind: "bubblewrap", reason: null } as const, true],
  [{ kind: null, reason: "bubblewrap is not installed" } as const, false],
])("a stored trial counts: %j", (stored, works) => {
  const { ports, place, record } = openPlace();
  storeTrial(place, stored, Date.now());
  const before = readFileSync(record, "utf8");
  const trial = recentTrial(ports, {});
  expect(trial.works).toBe(works);
  trial.store();
  expect(readFileSync(record, "utf8")).toBe(before);
});

test.each([
  { sandbox: "off" as const },
  { permissions: { additionalDirectories: ["/tmp"] } },
  { env: { PATH: "/bin" } },
  { env: { HOME: "/" } },
])("settings that change the sandbox have no part in stored trials: %j", (settings) => {
  const { ports, place, record } = openPlace();
  recentTrial(ports, settings).store();
  expect(existsSync(record)).toBe(false);
  storeTrial(place, { kind: "bubblewrap", reason: null }, Date.now());
  expect(recentTrial(ports, settings).works).toBeUndefined();
});
