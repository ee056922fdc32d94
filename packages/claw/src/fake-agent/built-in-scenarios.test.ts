import { FakeScenario } from "claw-contract/schemas";
import { expect, test } from "vitest";
import { BUILT_IN_SCENARIOS } from "./built-in-scenarios.ts";

test.each(Object.entries(BUILT_IN_SCENARIOS))(
  "%s is a scenario a file could hold, and says what it is",
  (name, scenario) => {
    expect(FakeScenario.parse(JSON.parse(JSON.stringify(scenario)))).toMatchObject({ summary: scenario.summary });
    expect(scenario.summary).toMatch(/^[A-Z].*\.$/);
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
  },
);
