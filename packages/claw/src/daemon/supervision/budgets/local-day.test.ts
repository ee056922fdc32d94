import { afterEach, expect, test, vi } from "vitest";
import { localDay } from "./local-day.ts";

afterEach(() => void vi.unstubAllEnvs());

test.each([
  ["Pacific/Kiritimati", "2026-01-31T09:59:59.999Z", "2026-01-31"],
  ["Pacific/Kiritimati", "2026-01-31T10:00:00.000Z", "2026-02-01"],
  ["America/Los_Angeles", "2026-01-01T07:59:59.999Z", "2025-12-31"],
  ["America/Los_Angeles", "2026-01-01T08:00:00.000Z", "2026-01-01"],
  ["UTC", "2026-03-05T00:00:00.000Z", "2026-03-05"],
  ["UTC", "2026-10-09T23:59:59.999Z", "2026-10-09"],
  ["UTC", "2026-11-10T12:00:00.000Z", "2026-11-10"],
])("in %s, %s is on %s", (zone, iso, day) => {
  vi.stubEnv("TZ", zone);
  expect(localDay(iso)).toBe(day);
});
