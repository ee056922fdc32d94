import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FIXTURE_TABLES } from "./fixture-tables.ts";
import { runConformance } from "./run-conformance.ts";
import type { FixtureServer } from "./serve-fixtures.ts";
import { serveFixtures } from "./serve-fixtures.ts";

/** How many scenarios the suite has for each version of the protocol that it knows. */
const SCENARIOS = { "2025-03-26": 1, "2025-06-18": 27, "2025-11-25": 33, "2026-07-28": 40 } as const;

describe("the official conformance suite", () => {
  let server: FixtureServer | undefined;
  beforeAll(async () => void (server = await serveFixtures(FIXTURE_TABLES)));
  afterAll(() => server?.close());

  test.each(Object.entries(SCENARIOS))("passes for %s, with nothing excused", async (version, scenarios) => {
    const verdict = await runConformance(server?.url ?? "", ["--suite", "all", "--spec-version", version]);
    expect(verdict).toEqual({ scenarios, passed: expect.any(Number), complaints: [] });
  });
});
