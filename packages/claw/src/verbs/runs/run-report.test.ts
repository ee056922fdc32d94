import type { RunResult } from "claw-contract";
import { describe, expect, test } from "vitest";
import { createRunReader, HARNESSES } from "../../harness/index.ts";
import { count, progressLine, runReport } from "./run-report.ts";
import { duration } from "../text/times.ts";
import { PLAIN } from "../testing/test-ports.ts";

const EVIDENCE = { exitCode: 0, signal: null, stderr: "", ended: "by-itself", durationMs: 4200 } as const;
const RESULT: RunResult = {
  ...createRunReader(HARNESSES["claude-code"]).finish(EVIDENCE),
  output: "all done\n",
  model: "m1",
  num_turns: 2,
  input_tokens: 12_345,
  output_tokens: 7,
  cost_usd: 0.5,
  session_id: "s1",
  warnings: [],
};

describe("a report", () => {
  test("is what the agent said and a line about the run", () => {
    expect(runReport(RESULT, PLAIN)).toBe(
      "all done\n\nclaude-code · m1 · 2 turns · 12.3k tokens in, 7 out · $0.5000 · 4.2 s\nsession s1",
    );
  });

  test("names denied tools, the first warnings and where events are", () => {
    const denials = [{ tool_name: "Bash" }, { tool_name: "Write" }, { tool_name: "Bash" }];
    const warnings = [
      "Reading prompt from stdin...\n",
      "permission-denied: 3 calls were refused: Bash, Write",
      "Reading additional input from stdin...\none\nmore of it",
      "two",
      "three",
      "four",
      "five",
      "six",
      "seven",
    ];
    const report = runReport(
      { ...RESULT, output: " ", session_id: null, permission_denials: denials, warnings, raw_messages_path: "/spool" },
      PLAIN,
    );
    expect(report.split("\n").slice(1)).toEqual([
      "3 tool calls denied: Bash, Write",
      ...["one", "two", "three", "four", "five"].map((text) => `warning: ${text}`),
      "and 2 more warnings",
      "All events are in /spool",
    ]);
  });

  test("of an agent that never started is empty", () => {
    expect(runReport({ ...RESULT, metadata: { ended: "not-started" } }, PLAIN)).toBe("");
  });
});

test("a line about a run that goes on says what is known", () => {
  const progress = { inputTokens: 0, outputTokens: 0, costUsd: null, sessionId: null, model: null, activity: null };
  const rest = {
    sawResult: false,
    backgroundTasks: 0,
    limitResetsAtMs: null,
    permissionMode: null,
    turns: 0,
    messageInputTokens: 0,
  };
  expect(progressLine({ ...progress, ...rest }, 0.04)).toBe("starting · 0.0 s");
  expect(progressLine({ ...progress, ...rest, activity: "Bash: ls", inputTokens: 1200, costUsd: 0.01 }, 75)).toBe(
    "Bash: ls · 1.2k tokens · $0.0100 · 1 min 15 s",
  );
});

test("numbers are short", () => {
  expect([999, 1000, 2_500_000].map(count)).toEqual(["999", "1.0k", "2.5M"]);
  expect([0.25, 12.9, 61, 3725].map(duration)).toEqual(["0.3 s", "12 s", "1 min 1 s", "1 h 2 min"]);
});
