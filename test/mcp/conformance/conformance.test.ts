import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FIXTURE_TABLES } from "./fixture-tables.ts";
import { listScenarios, runConformance } from "./run-conformance.ts";
import type { FixtureServer } from "./serve-fixtures.ts";
import { serveFixtures } from "./serve-fixtures.ts";

/** How many scenarios the suite has for each version of the protocol that it knows. */
const SCENARIOS = { "2025-03-26": 1, "2025-06-18": 27, "2025-11-25": 33, "2026-07-28": 40 } as const;

/** Scenarios of the tasks extension, which belong to no version. The suite runs them only by name. */
const TASK_SCENARIOS = [
  "tasks-lifecycle",
  "tasks-capability-negotiation",
  "tasks-wire-fields",
  "tasks-request-state-removal",
  "tasks-mrtr-input",
  "tasks-request-headers",
  "tasks-dispatch-and-envelope",
  "tasks-required-task-error",
  "tasks-mrtr-composition",
] as const;

describe("the official conformance suite", () => {
  let server: FixtureServer | undefined;
  beforeAll(async () => void (server = await serveFixtures(FIXTURE_TABLES)));
  afterAll(() => server?.close());

  test.each(Object.entries(SCENARIOS))("passes for %s, with nothing excused", async (version, scenarios) => {
    const verdict = await runConformance(server?.url ?? "", ["--suite", "all", "--spec-version", version]);
    expect(verdict).toEqual({ scenarios, passed: expect.any(Number), complaints: [] });
  });

  test.each(TASK_SCENARIOS)("passes for the tasks extension: %s", async (scenario) => {
    const { passed, ...verdict } = await runConformance(server?.url ?? "", ["--scenario", scenario]);
    expect(verdict).toEqual({ scenarios: 1, complaints: [] });
    expect(passed).toBeGreaterThan(0);
  });

  test("every scenario about tasks is run, except the one that the suite skips itself", async () => {
    const scenarios = (await listScenarios()).filter((name) => name.startsWith("tasks-"));
    expect(scenarios).toEqual(expect.arrayContaining([...TASK_SCENARIOS]));
    expect(scenarios.filter((name) => !TASK_SCENARIOS.some((each) => each === name))).toEqual([
      "tasks-status-notifications",
    ]);
  });
});
