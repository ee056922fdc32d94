import { describe, expect, test } from "vitest";
import type { ExitEvidence } from "../stream/run-reader.ts";
import { claude, pick, readEvents } from "../testing/read-events.ts";

const EVENTS = [claude.init({ apiKeySource: "none" }), claude.text("so far"), claude.result({ num_turns: 3 })];

const ended = (evidence: Partial<ExitEvidence>, events = EVENTS) =>
  readEvents("claude-code", events, { evidence }).result;
const facts = (evidence: Partial<ExitEvidence>, events = EVENTS) =>
  pick(ended(evidence, events), "exit_code", "signal", "error", "error_category", "succeeded");

describe("the end of the process", () => {
  test.each(["total-deadline", "idle-deadline"] as const)("at its %s is a timeout, and nothing else is", (deadline) => {
    const run = ended({ ended: deadline, exitCode: null, signal: "SIGKILL", stderr: "busy\n" }, EVENTS.slice(0, 2));
    expect(run).toMatchObject({ output: "so far", exit_code: -1, error: "timeout", error_category: "timeout" });
    expect([run.warnings, run.diagnostics, run.metadata["ended"]]).toEqual([["busy\n"], [], deadline]);
  });

  test("in the moment of a deadline was in time when it left with 0", () => {
    expect(facts({ ended: "total-deadline" })).toMatchObject({ exit_code: 0, error: null, succeeded: true });
  });

  test("by a signal names it, unless the agent had said what went wrong", () => {
    expect(facts({ exitCode: null, signal: "SIGSEGV", stderr: "trace" })).toEqual({
      exit_code: -11,
      signal: "SIGSEGV",
      error: "ended by SIGSEGV",
      error_category: "subprocess",
      succeeded: false,
    });
    expect(ended({ exitCode: null, signal: "SIGSEGV", stderr: "trace" }).warnings).toEqual(["trace"]);
    const failed = [claude.result({ is_error: true, result: "429" })];
    expect(facts({ exitCode: null, signal: "SIGTERM" }, failed)).toMatchObject({ error: "429", exit_code: -15 });
  });

  test("that had to be helped after the last result is no failure of the run", () => {
    const run = ended({ ended: "linger", exitCode: null, signal: "SIGTERM" });
    expect(run).toMatchObject({ exit_code: 0, signal: null, error: null, succeeded_cleanly: true });
    expect(run.warnings).toEqual([expect.stringMatching(/^linger: /)]);
    const failed = [claude.result({ is_error: true, result: "boom" })];
    expect(facts({ ended: "linger", exitCode: null, signal: "SIGTERM" }, failed)).toMatchObject({
      exit_code: 1,
      error: "boom",
    });
  });

  test("by the caller is called so, whatever the agent said last", () => {
    const failed = [claude.result({ is_error: true, result: "aborted" })];
    expect(facts({ ended: "cancelled", exitCode: null, signal: "SIGINT" }, failed)).toEqual({
      exit_code: -1,
      signal: "SIGINT",
      error: "cancelled",
      error_category: null,
      succeeded: false,
    });
  });

  test("that never began says why", () => {
    const run = ended({ ended: "not-started", exitCode: null, startError: "Claude CLI not found: claude" }, []);
    expect(run).toMatchObject({ exit_code: -1, error: "Claude CLI not found: claude", warnings: [], diagnostics: [] });
  });

  test("takes as long as it took", () => {
    expect(ended({ durationMs: 1234 }).duration_seconds).toBe(1.234);
  });
});

describe("asking twice", () => {
  test("gives the same result", () => {
    const { result } = readEvents("claude-code", EVENTS);
    expect(readEvents("claude-code", EVENTS).result).toEqual(result);
  });
});

describe("a subject", () => {
  test("names the run in its diagnostics, on one line and within bounds", () => {
    const subject = `\u001b[31mred\u001b[0m\u0007 ${"x".repeat(300)}`;
    const { result } = readEvents("claude-code", EVENTS, { subject, diagnostics: ["codex auth=none"] });
    const suffix = `(red ${"x".repeat(196)})`;
    expect(result.diagnostics).toEqual([`codex auth=none ${suffix}`, `apiKeySource=none ${suffix}`]);
  });
});
