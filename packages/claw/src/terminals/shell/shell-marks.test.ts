import { expect, onTestFinished, test, vi } from "vitest";
import type { ShellStart } from "./shell-integration.ts";
import { createShellTracker } from "./shell-tracker.ts";

const NEVER = new AbortController().signal;

/** A tracker without a shell: its clock, its output and its marks are the test's. */
function openTracker(kind: ShellStart["kind"]) {
  vi.useFakeTimers({ now: 1000 });
  onTestFinished(() => void vi.useRealTimers());
  const state = { offset: 0, told: [] as unknown[], typed: [] as string[] };
  const tracker = createShellTracker({
    kind,
    nonce: "0123456789abcdef",
    now: Date.now,
    offset: () => state.offset,
    type: (text) => {
      state.typed.push(text);
      return Promise.resolve();
    },
    started: (command, from) => state.told.push(["start", command, from]),
    ended: ({ command, exitCode, from, to }) => state.told.push(["end", command, exitCode, from, to]),
  });
  const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
  return { state, tracker, settle };
}

test("a command is typed at the prompt only, and its range and times are those of its marks", async () => {
  const { state, tracker, settle } = openTracker("marks");
  const running = tracker.execute("ls", NEVER);
  await settle();
  tracker.mark({ kind: "end", exitCode: 0 });
  await settle();
  expect(state.typed).toEqual([]);
  tracker.mark({ kind: "prompt" });
  await settle();
  expect(state.typed).toEqual(["ls\r"]);
  state.offset = 5;
  tracker.mark({ kind: "start", command: "ls # as the shell has it" });
  vi.advanceTimersByTime(30);
  state.offset = 9;
  tracker.mark({ kind: "end", exitCode: 2 });
  expect(await running).toEqual({
    command: "ls",
    exitCode: 2,
    startedAt: 1000,
    endedAt: 1030,
    from: 5,
    to: 9,
    degraded: false,
  });
  expect(state.told).toEqual([
    ["start", "ls", 5],
    ["end", "ls", 2, 5, 9],
  ]);
});

test("a prompt is good for one command", async () => {
  const { state, tracker, settle } = openTracker("marks");
  tracker.mark({ kind: "prompt" });
  const both = [tracker.execute("one", NEVER), tracker.execute("two", NEVER)];
  await settle();
  expect(state.typed).toEqual(["one\r"]);
  // A line that the shell cannot read has an end and no beginning.
  tracker.mark({ kind: "end", exitCode: 1 });
  await settle();
  expect(state.typed).toEqual(["one\r"]);
  tracker.mark({ kind: "prompt" });
  await settle();
  tracker.mark({ kind: "start", command: "two" });
  tracker.mark({ kind: "end", exitCode: 0 });
  expect((await Promise.all(both)).map(({ exitCode }) => exitCode)).toEqual([1, 0]);
});

test("a shell that shows no mark in ten seconds is typed into, and nothing is known", async () => {
  const { state, tracker } = openTracker("marks");
  const running = tracker.execute("ls", NEVER);
  await vi.advanceTimersByTimeAsync(9999);
  expect(state.typed).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await running).toMatchObject({ command: "ls", exitCode: null, degraded: true });
  expect(state.told).toEqual([
    ["start", "ls", 0],
    ["end", "ls", null, 0, 0],
  ]);
});

test("a shell that ends, ends the command in it", async () => {
  const { state, tracker, settle } = openTracker("posix");
  const running = tracker.execute("exit 4", NEVER);
  await settle();
  expect(state.typed).toHaveLength(1);
  tracker.closed(4);
  expect(await running).toMatchObject({ command: "exit 4", exitCode: 4, degraded: true });
  tracker.closed(5);
  expect(state.told).toHaveLength(2);
});

test("a call that is given up is not typed later, and the next goes on", async () => {
  const { state, tracker, settle } = openTracker("marks");
  const limit = new AbortController();
  const given = tracker.execute("slow", limit.signal);
  const next = tracker.execute("next", NEVER);
  await settle();
  limit.abort(new Error("too long"));
  await expect(given).rejects.toThrow("too long");
  await expect(tracker.execute("never", limit.signal)).rejects.toThrow("too long");
  tracker.mark({ kind: "prompt" });
  await settle();
  expect(state.typed).toEqual(["next\r"]);
  tracker.mark({ kind: "start", command: "next" });
  tracker.mark({ kind: "end", exitCode: 0 });
  expect(await next).toMatchObject({ command: "next", exitCode: 0 });
});

test("a command that a person types is told by what the shell says, cut, or as unknown", () => {
  const { state, tracker } = openTracker("marks");
  for (const command of ["x".repeat(70_000), ""]) {
    tracker.mark({ kind: "start", command });
    tracker.mark({ kind: "end", exitCode: null });
  }
  expect(state.told).toEqual([
    ["start", "x".repeat(65_536), 0],
    ["end", "x".repeat(65_536), null, 0, 0],
    ["start", "(unknown)", 0],
    ["end", "(unknown)", null, 0, 0],
  ]);
});
