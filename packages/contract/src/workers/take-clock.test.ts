import { describe, expect, test } from "vitest";
import { LIMITS } from "../limits/limits.ts";
import { leaveLimit, nextDueOf, takeClock } from "./take-clock.ts";
import { START, Story } from "./testing/worker-story.ts";
import { FIRST_LIFE } from "./worker-life.ts";
import type { WorkerRecord } from "./worker-record.ts";
import { newWorker } from "./worker-record.ts";

const known: WorkerRecord = { ...newWorker("p_1", START), life: { ...FIRST_LIFE, hasBooted: true } };
const ALIVE = { ...FIRST_LIFE, process: "alive" } as const;
const hearing = { listeningSince: 0, lastFrame: null };
const look = (worker: WorkerRecord, at: number, more = {}): WorkerRecord =>
  takeClock(worker, { kind: "clock", at, ...hearing, ...more });
const ENDING = { text: "done", source: "self", at: START, sequence: 1, state: "finished" } as const;

describe("the moment at which", () => {
  test("silence counts is one millisecond after its limit, and is the one that is foretold", () => {
    const due = START + LIMITS.staleMs + 1;
    expect(nextDueOf(known, hearing)).toBe(due);
    expect([look(known, due - 1).isSilent, look(known, due).isSilent]).toEqual([false, true]);
  });

  test.each([
    ["an agent that thinks", { isSignalling: true, turn: "running", openTools: 0 }, LIMITS.hungMs],
    ["an agent with an open tool", { isSignalling: true, turn: "running", openTools: 1 }, LIMITS.hungToolMs],
    ["an agent between turns", { isSignalling: true, turn: "ended", openTools: 0 }, LIMITS.hungToolMs],
    ["one that tells of no tools", { isSignalling: false }, LIMITS.hungToolMs],
    ["one that has not booted", { isSignalling: false, life: FIRST_LIFE }, LIMITS.hungMs],
  ] as const)("%s hangs is one millisecond after its limit", (_who, more, limit) => {
    const worker = { ...known, ...more, lastSeen: START + 2 * limit };
    const due = START + limit + 1;
    expect(nextDueOf(worker, hearing)).toBe(due);
    expect([look(worker, due - 1).isHung, look(worker, due).isHung]).toEqual([false, true]);
    for (const later of [
      { ...worker, freeSince: START + 5 },
      { ...worker, lastProgress: START + 5 },
    ]) {
      expect(nextDueOf(later, hearing)).toBe(due + 5);
    }
    expect(nextDueOf(worker, { ...hearing, listeningSince: START + 5 })).toBe(due + 5);
  });

  test("one that left is gone is one millisecond after its grace, counted from when somebody listened", () => {
    const worker = { ...known, leftAt: START, isSilent: true };
    const due = START + LIMITS.returnGraceMs + 1;
    expect(nextDueOf(worker, hearing)).toBe(due);
    expect(nextDueOf(worker, { ...hearing, listeningSince: START + 7 })).toBe(due + 7);
    expect(look(worker, due - 1).ending).toBeNull();
    expect(look(worker, due).ending).toEqual({
      text: "its connection broke, and it did not come back",
      source: "clock",
      at: due,
      sequence: null,
      state: "gone",
    });
  });

  test("no report comes any more is one millisecond after its grace, unless a process is there to ask", () => {
    const end = { by: "reflect", result: null, isSettled: false } as const;
    const worker = { ...known, life: { ...known.life, end } };
    const due = START + LIMITS.reportGraceMs + 1;
    expect(nextDueOf(worker, hearing)).toBe(due);
    expect(nextDueOf(worker, { ...hearing, listeningSince: START + 7 })).toBe(due + 7);
    expect(look(worker, due - 1).ending).toBeNull();
    const text = "it is in REFLECT, and reported no result";
    expect(look(worker, due).ending).toEqual({ text, source: "clock", at: due, sequence: null, state: "gone" });
    expect(look({ ...worker, life: { ...ALIVE, end } }, due).ending).toBeNull();
  });

  test("a limit ends is the one that was said", () => {
    const parked = { text: "limit", source: "stream", at: START, sequence: 4, until: START + 10 } as const;
    const worker = { ...known, parked };
    expect(nextDueOf(worker, hearing)).toBe(START + 10);
    expect(leaveLimit(worker, START + 9)).toBe(worker);
    expect(leaveLimit(worker, START + 10)).toEqual({
      ...worker,
      parked: null,
      work: { text: "the time of its limit is over", source: "clock", at: START + 10, sequence: 4 },
      freeSince: START + 10,
    });
    const endless = { ...known, parked: { ...parked, until: null } };
    expect(leaveLimit(endless, Number.MAX_SAFE_INTEGER)).toBe(endless);
  });

  test("nothing more comes of time is never, once a worker has ended, is silent and hung, or lives although it left", () => {
    expect(nextDueOf({ ...known, ending: ENDING }, hearing)).toBe(Infinity);
    expect(nextDueOf({ ...known, isSilent: true }, hearing)).toBe(Infinity);
    expect(nextDueOf({ ...known, isSilent: true, leftAt: START, life: ALIVE }, hearing)).toBe(Infinity);
    expect(nextDueOf({ ...known, isHung: true }, hearing)).toBe(START + LIMITS.staleMs + 1);
  });
});

test("time changes nothing of one that has ended", () => {
  const ended = { ...known, ending: ENDING, leftAt: START };
  expect(look(ended, START + 1e9)).toBe(ended);
});

test("what a connection carries is a sign of life, and never an older one than is known", () => {
  const at = START + LIMITS.staleMs;
  expect(look(known, at, { lastFrame: START + 5 })).toMatchObject({ lastSeen: START + 5, isSilent: false });
  expect(look(known, at, { lastFrame: START - 5 })).toMatchObject({ lastSeen: START });
  expect(look({ ...known, lastSeen: null }, at, { lastFrame: START })).toMatchObject({ lastSeen: START });
  expect(look({ ...known, lastSeen: null }, START)).toMatchObject({ lastSeen: null, isSilent: true });
});

test("a clock that was set back makes nothing look newer than it is", () => {
  const at = START - 1000;
  const told = { state: "working", reason: "", until: null, at: START } as const;
  const worker = { ...known, leftAt: START, told };
  const after = look(worker, at, { listeningSince: START, lastFrame: START });
  expect(after).toEqual({
    ...worker,
    lastSeen: at,
    lastProgress: at,
    freeSince: at,
    leftAt: at,
    told: { ...told, at },
    isSilent: false,
    isHung: false,
  });
  const bare = look({ ...known, lastSeen: null, lastProgress: null }, at, { listeningSince: START });
  expect(bare).toMatchObject({ lastSeen: null, lastProgress: null, leftAt: null, told: null });
});

test("of a worker that only its process tells of, time says what it says of the others", () => {
  const story = new Story().atWork();
  expect(nextDueOf(story.worker, hearing)).toBe(START + Math.min(LIMITS.staleMs, LIMITS.hungMs) + 1);
});
