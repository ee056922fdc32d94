import { describe, expect, test } from "vitest";
import { takeSignal } from "./take-signal.ts";
import { START } from "./testing/worker-story.ts";
import type { WorkerRecord } from "./worker-record.ts";
import { newWorker } from "./worker-record.ts";

const known = newWorker("p_1", START);
const cause = { text: "", source: "hook", at: START, sequence: 7 } as const;
const work = { ...cause, text: "before", sequence: 3 };

const signal = (worker: WorkerRecord, name: string, data = {}) =>
  takeSignal(worker, {
    kind: "event",
    topic: "worker.p_1.signal",
    from: "p_1",
    data: { signal: name, source: "hook", ...data },
    sequence: 7,
    at: START,
  });

const AT_WORK = { isSignalling: true, prompt: null, unclear: null, blocked: null, parked: null };

describe("tools", () => {
  test("are counted up and down, never below none", () => {
    const running: WorkerRecord = { ...known, turn: "running", work, openTools: 2 };
    const same = { ...AT_WORK, turn: "running", work };
    expect(signal(running, "tool_started", { detail: "Bash" })).toEqual({
      ...same,
      openTools: 3,
      currentAction: "Bash",
    });
    expect(signal(running, "tool_started")).toEqual({ ...same, openTools: 3 });
    expect(signal(running, "tool_ended")).toEqual({ ...same, openTools: 1 });
    expect(signal({ ...running, openTools: 0 }, "tool_ended")).toEqual({ ...same, openTools: 0 });
  });
});

describe("a turn", () => {
  test("that begins is told anew, and one that goes on is not", () => {
    const running: WorkerRecord = { ...known, turn: "running", work, openTools: 2 };
    const told = { ...cause, text: "its agent works" };
    expect(signal(running, "turn_started")).toEqual({ ...AT_WORK, turn: "running", work: told, openTools: 0 });
    expect(signal({ ...known, work }, "tool_ended")).toMatchObject({ work: told });
    expect(signal({ ...running, work: null }, "tool_ended")).toMatchObject({ work: told });
  });

  test("that ended closes its tools; with a person in front of it its prompt waits", () => {
    const over = { ...AT_WORK, turn: "ended", openTools: 0 };
    expect(signal(known, "turn_ended")).toEqual({ ...over, work: { ...cause, text: "its agent's turn ended" } });
    const { profile } = known;
    expect(signal({ ...known, profile: { ...profile, mode: "interactive" } }, "turn_ended")).toEqual({
      ...over,
      prompt: { ...cause, text: "its turn ended; its prompt waits" },
    });
  });

  test("is over with its agent's process, and with another agent none has begun", () => {
    const ended = { ...cause, text: "its agent's process ended" };
    expect(signal(known, "exited")).toEqual({ ...AT_WORK, turn: "ended", openTools: 0, work: ended });
    const anew = { ...cause, text: "its agent was started anew" };
    expect(signal(known, "restarted")).toEqual({ ...AT_WORK, turn: "none", openTools: 0, work: anew });
  });
});

describe("activity", () => {
  const parked = { ...cause, until: START + 1 };

  test("leaves a limit that has not ended, and ends one whose time has come or that has none", () => {
    expect(signal({ ...known, parked }, "activity")).toMatchObject({ turn: "running", parked });
    expect(signal({ ...known, parked: { ...parked, until: START } }, "activity")).toMatchObject({ parked: null });
    expect(signal({ ...known, parked: { ...parked, until: null } }, "activity")).toMatchObject({ parked: null });
  });

  test("on a terminal, or after a turn, says nothing", () => {
    expect(signal(known, "activity", { source: "terminal" })).toEqual({ isSignalling: true });
    expect(signal({ ...known, turn: "ended" }, "activity")).toEqual({ isSignalling: true });
  });
});

test.each([
  ["needs_input", "prompt", "its prompt waits", { rest: { unclear: null } }],
  ["unclear", "unclear", "nothing shows what its agent does", { rest: { prompt: null } }],
  ["rate_limited", "parked", "its agent reached a usage limit", { more: { until: null } }],
  ["paused", "paused", "it was told to pause", {}],
] as const)("%s is told with its own words, or with ours", (name, field, ours, change) => {
  const { rest, more } = { rest: {}, more: {}, ...change };
  const is = (text: string) => ({ isSignalling: true, ...rest, [field]: { ...cause, text, ...more } });
  expect(signal(known, name, { detail: "theirs" })).toEqual(is("theirs"));
  expect(signal(known, name)).toEqual(is(ours));
});

test("a worker that goes on is neither paused nor limited, and is counted from now", () => {
  expect(signal(known, "resumed")).toEqual({ isSignalling: true, paused: null, parked: null, freeSince: START });
});

test("a signal that nobody knows changes nothing, and an unknown source is the worker's own word", () => {
  for (const name of ["nonsense", "toString", "__proto__"]) expect(signal(known, name)).toEqual({});
  expect(signal(known, "needs_input", { source: "nonsense" })).toMatchObject({ prompt: { source: "self" } });
});
