import { expect, test } from "vitest";
import type { CommittedEvent, Projection } from "./projection.ts";
import { createProjections } from "./projection.ts";

function createRecorder(patterns: readonly string[], wanted = true): Projection & { readonly seen: CommittedEvent[] } {
  const seen: CommittedEvent[] = [];
  return { seen, patterns, wants: () => wanted, apply: (event) => void seen.push(event) };
}

const STORED = { topic: "note.a", from: "p_1", tsServer: "2026-01-01T00:00:00.000Z", payload: '{"n":1}', sequence: 1 };

test("a projection is told of its topics, with the payload parsed", () => {
  const [notes, others] = [createRecorder(["note.*"]), createRecorder(["task.**"])];
  createProjections(() => [notes, others]).apply(STORED, true);
  expect(notes.seen).toEqual([{ ...STORED, payload: { n: 1 }, live: true }]);
  expect(others.seen).toEqual([]);
});

test("a payload that nobody wants is not even parsed", () => {
  const uninterested = createRecorder(["note.*"], false);
  const projections = createProjections(() => [uninterested]);
  expect(() => projections.apply({ ...STORED, payload: "no json" }, true)).not.toThrow();
  expect(uninterested.seen).toEqual([]);
});

test("a payload that is damaged is told of as none", () => {
  const notes = createRecorder(["note.*"]);
  createProjections(() => [notes]).apply({ ...STORED, payload: '{"n":1},"x":{' }, false);
  expect(notes.seen).toEqual([{ ...STORED, payload: undefined, live: false }]);
});

test("projections know up to where they have been told, whether or not anybody wanted to know", () => {
  const told: number[] = [];
  const projections = createProjections(
    () => [],
    ({ sequence }) => told.push(sequence),
  );
  projections.startAfter(6);
  expect(projections.through()).toBe(6);
  projections.apply({ ...STORED, sequence: 7 }, true);
  expect([projections.through(), told]).toEqual([7, [7]]);
});

test("a log entry goes to `apply` unless every projection ignores it or takes it in by its time", () => {
  const ignoring = { ...createRecorder(["note.*"]), logEntries: "ignored" as const };
  const times: string[] = [];
  const timing = {
    ...createRecorder(["note.*"]),
    logEntries: ({ tsServer, payload }: typeof STORED) => times.push(tsServer) > 0 && payload !== "{}",
  } as ReturnType<typeof createRecorder>;
  const quick = createProjections(() => [ignoring, timing]);
  quick.applyLogEntry({ ...STORED, payload: "no json" }, true);
  expect([ignoring.seen, timing.seen, times, quick.through()]).toEqual([[], [], [STORED.tsServer], 1]);
  quick.applyLogEntry({ ...STORED, payload: "{}", sequence: 2 }, true);
  expect([ignoring.seen.length, timing.seen.length]).toEqual([1, 1]);
  const whole = createRecorder(["note.*"]);
  createProjections(() => [ignoring, whole]).applyLogEntry(STORED, false);
  expect(whole.seen).toEqual([{ ...STORED, payload: { n: 1 }, live: false }]);
});
