import { expect, test } from "vitest";
import { CLIENT_LIMITS } from "./client-limits.ts";
import { LIMITS } from "./limits.ts";

test("the bus remembers more ids than a client may have to send again", () => {
  expect(LIMITS.dedupeEntries).toBeGreaterThanOrEqual(CLIENT_LIMITS.spoolEvents);
});

test("a client takes the largest frame that the largest request can become", () => {
  const longestEscape = 6;
  expect(CLIENT_LIMITS.frameBytes).toBeGreaterThan(LIMITS.requestLineBytes * longestEscape);
});

test("a worker that is well is never stale, and a client hears of a dead bus before it counts as stale itself", () => {
  expect(CLIENT_LIMITS.heartbeatMs * 3).toBeLessThanOrEqual(LIMITS.staleMs);
  expect(CLIENT_LIMITS.silenceMs * 2).toBeLessThan(LIMITS.staleMs);
});

test("what a durable subscription may have in flight fits what a client holds for its consumer", () => {
  expect(LIMITS.durableInFlight).toBeLessThanOrEqual(CLIENT_LIMITS.bufferedEvents);
});
