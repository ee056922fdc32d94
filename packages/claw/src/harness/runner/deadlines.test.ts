import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { groupRuns } from "../../process/testing/group-runs.ts";
import { identify, isRunning } from "../../process/process-identity.ts";
import type { Finished } from "../testing/tiny-agents.ts";
import { finish, made, noted, pidIn, play, playSilentLater, SAYS, scripted, start } from "../testing/tiny-agents.ts";

const SOON_MS = 150;
const idle = { idleMs: SOON_MS, lingerMs: 60_000 };
const linger = { idleMs: 60_000, lingerMs: SOON_MS };

const captured = ({ result: { output, error, error_category, exit_code }, ended }: Finished) => ({
  output,
  error,
  error_category,
  exit_code,
  ended,
});
const TIMED_OUT = { output: "hello", error: "timeout", error_category: "timeout", exit_code: -1 };

/** Agents that stay for ever once they have said something, each in its own way. */
const STAYING: Readonly<Record<string, string>> = {
  "stays silent": `${SAYS.hello}; ${noted}; exec sleep 600`,
  "ignores SIGTERM": `trap '' TERM; ${SAYS.hello}; ${noted}; while :; do sleep 0.05; done`,
  "has ended and left a grandchild with the pipe and with SIGTERM ignored": `(trap '' TERM; while :; do sleep 0.05; done) & ${SAYS.hello}; ${noted}; trap 'exit 0' TERM; wait; wait`,
  "stopped itself": `${SAYS.hello}; ${noted}; kill -STOP $$`,
  "closed its output": `${SAYS.hello}; ${noted}; exec 1>&- 2>&-; exec sleep 600`,
  "wrote half a line": `${SAYS.hello}; printf '{"type":'; ${noted}; exec sleep 600`,
};

describe.for(Object.entries(STAYING))("an agent that %s", ([, script]) => {
  test("is ended when the time is over, and what it said is kept", async () => {
    const caller = new AbortController();
    const tiny = await start(scripted(script), {}, caller.signal);
    const reading = finish(tiny);
    await made(tiny.cwd, "pid");
    caller.abort(new DOMException("time is over", "TimeoutError"));
    expect(captured(await reading)).toEqual({ ...TIMED_OUT, ended: "total-deadline" });
    expect(groupRuns(pidIn(tiny.cwd))).toBe(false);
  });

  test("is ended when it was silent for too long, and what it said is kept", async () => {
    const run = await playSilentLater(scripted(script), idle);
    expect(captured(run)).toEqual({ ...TIMED_OUT, ended: "idle-deadline" });
    expect(groupRuns(run.pid)).toBe(false);
  });

  test("is ended when the caller gives up, and what it said is kept", async () => {
    const caller = new AbortController();
    const tiny = await start(scripted(script), {}, caller.signal);
    const reading = finish(tiny);
    await made(tiny.cwd, "pid");
    caller.abort(new Error("no longer needed"));
    const run = await reading;
    expect(captured(run)).toEqual({ ...TIMED_OUT, error: "cancelled", error_category: null, ended: "cancelled" });
    expect(groupRuns(pidIn(tiny.cwd))).toBe(false);
  });
});

test("a grandchild that left the group and ignores SIGTERM is ended too", async () => {
  const grandchild = `process.on("SIGTERM", () => {}); require("fs").writeFileSync("stray", String(process.pid)); setInterval(() => {}, 1000)`;
  const spawn = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(grandchild)}], { detached: true, stdio: "inherit" }); setInterval(() => {}, 1000)`;
  const caller = new AbortController();
  const harness = scripted("", { argv: [process.execPath, "-e", spawn] });
  const tiny = await start(harness, {}, caller.signal);
  const reading = finish(tiny);
  await made(tiny.cwd, "stray");
  await expect.poll(() => pidIn(tiny.cwd, "stray"), { interval: 5 }).toBeGreaterThan(0);
  const stray = identify(pidIn(tiny.cwd, "stray"));
  caller.abort();
  expect((await reading).ended).toBe("cancelled");
  expect(isRunning(stray)).toBe(false);
});

describe("a prompt that is not read", () => {
  const prompt = "x".repeat(300_000);
  const unread = scripted(`${SAYS.hello}; ${noted}; exec sleep 600`, { stdin: prompt });

  test("does not defeat the idle deadline", async () => {
    const run = await playSilentLater(unread, idle);
    expect(captured(run)).toEqual({ ...TIMED_OUT, ended: "idle-deadline" });
    expect(run.result.warnings).toContain("prompt: the agent ended without reading all of it");
    expect(groupRuns(run.pid)).toBe(false);
  });

  test("does not defeat the idle deadline of an agent that says nothing at all", async () => {
    const run = await play(scripted("exec sleep 600", { stdin: prompt }), { silence: idle });
    expect(captured(run)).toEqual({ ...TIMED_OUT, output: "", ended: "idle-deadline" });
    expect(groupRuns(run.pid)).toBe(false);
  });

  test("does not defeat the total deadline", async () => {
    const caller = new AbortController();
    const tiny = await start(unread, {}, caller.signal);
    const reading = finish(tiny);
    await made(tiny.cwd, "pid");
    caller.abort(new DOMException("time is over", "TimeoutError"));
    expect(captured(await reading)).toEqual({ ...TIMED_OUT, ended: "total-deadline" });
    expect(groupRuns(pidIn(tiny.cwd))).toBe(false);
  });
});

describe("silence", () => {
  test("is broken by any byte, also on stderr", async () => {
    const drip = `i=0; while [ $i -lt 18 ]; do printf ' '; sleep 0.05; printf x >&2; sleep 0.05; i=$((i+1)); done; echo; ${SAYS.hello}`;
    const run = await play(scripted(drip), { silence: { idleMs: 1500, lingerMs: 60_000 } });
    expect(captured(run)).toMatchObject({ output: "hello", exit_code: 0, ended: "by-itself" });
  });

  test("is not the agent's while the caller takes its time", async () => {
    const waits = "until [ -e go ]; do sleep 0.02; done";
    const silence: { idleMs: number | null; lingerMs: number } = { ...idle, idleMs: null };
    const tiny = await start(scripted(`${SAYS.hello}; ${waits}; ${SAYS.result}; ${noted}`), { silence });
    await tiny.run.batches.next();
    silence.idleMs = SOON_MS;
    await new Promise((resolve) => setTimeout(resolve, 3 * SOON_MS));
    writeFileSync(join(tiny.cwd, "go"), "");
    await made(tiny.cwd, "pid");
    expect(await finish(tiny)).toMatchObject({ ended: "by-itself", result: { succeeded_cleanly: true } });
  });

  test("after a result ends an agent that does not leave, and the result stands", async () => {
    const script = `${SAYS.hello}; ${SAYS.result}; exec sleep 600`;
    const run = await playSilentLater(scripted(script), linger);
    expect(captured(run)).toEqual({
      output: "hello",
      error: null,
      error_category: null,
      exit_code: 0,
      ended: "linger",
    });
    expect(run.result.warnings).toEqual([expect.stringMatching(/^linger: /)]);
    expect(groupRuns(run.pid)).toBe(false);
  });

  test("after a result is allowed for as long as a task is known to run in the background", async () => {
    const working = `${SAYS.task}; ${SAYS.hello}; ${SAYS.result}; sleep 0.6; ${SAYS.hello}; ${SAYS.result}`;
    const run = await playSilentLater(scripted(working), linger);
    expect(captured(run)).toMatchObject({ output: "hello\nhello", exit_code: 0, ended: "by-itself" });
  });

  test.each(["exec sleep 600", "trap 'exit 143' TERM; while :; do sleep 0.02; done"])(
    "after a result leaves the result standing, whichever deadline is shorter, however it then leaves: %s",
    async (stays) => {
      for (const [idleMs, lingerMs] of [
        [SOON_MS, 60_000],
        [60_000, SOON_MS],
      ] as const) {
        const script = `${SAYS.hello}; ${SAYS.result}; ${stays}`;
        const { ended, result } = await playSilentLater(scripted(script), { idleMs, lingerMs });
        expect([ended, result.exit_code, result.error, result.succeeded_cleanly]).toEqual(["linger", 0, null, true]);
      }
    },
  );
});

test("an agent that ends by itself in that very moment was in time", async () => {
  const caller = new AbortController();
  const tiny = await start(
    scripted(`trap 'exit 0' TERM; ${SAYS.hello}; ${SAYS.result}; ${noted}; while :; do sleep 0.02; done`),
    {},
    caller.signal,
  );
  const reading = finish(tiny);
  await made(tiny.cwd, "pid");
  caller.abort(new DOMException("time is over", "TimeoutError"));
  expect(captured(await reading)).toMatchObject({ output: "hello", error: null, exit_code: 0 });
});
