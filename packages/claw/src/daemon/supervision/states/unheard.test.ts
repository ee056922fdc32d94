import type { WorkerView } from "claw-contract";
import { LIMITS, newWorker, workerViewOf } from "claw-contract";
import { expect, test } from "vitest";
import { showUnheard } from "./unheard.ts";

const NOW = Date.parse("2026-01-01T00:10:00.000Z");
const view: WorkerView = workerViewOf(newWorker("p_000001", 0));

const show = (silentMs: number | undefined, { isHere = false, seen = view } = {}): WorkerView =>
  showUnheard({ machineOf: () => "two", isHere: () => isHere, now: () => NOW }, () => silentMs)(seen);

test("a worker of a machine that is not heard is stale, and gone after the time in which a worker may come back", () => {
  const reason = "machine two is not heard";
  const unheard = { ...view, reason, source: "server" };
  expect(show(11_000)).toEqual({ ...unheard, state: "stale", as_of: "2026-01-01T00:09:49.000Z" });
  const late = LIMITS.returnGraceMs + 1;
  expect(show(late)).toMatchObject({ ...unheard, state: "gone", as_of: expect.any(String) as string });
});

test("a worker that is heard, one that has ended, and one of this machine are shown as they are", () => {
  const ended = { ...view, ended: true };
  expect(show(undefined)).toEqual(view);
  expect(show(11_000, { seen: ended })).toEqual(ended);
  expect(show(11_000, { isHere: true })).toEqual(view);
});
