import type { RunResult } from "claw-contract";
import { describe, expect, test } from "vitest";
import { createRunReader, HARNESSES } from "../../harness/index.ts";
import { showRecording } from "./recording-report.ts";
import { MARKED, PLAIN } from "../testing/test-ports.ts";

function resultOf(events: readonly object[], exitCode = 0): RunResult {
  const reader = createRunReader(HARNESSES["claude-code"]);
  for (const event of events) reader.push(Buffer.from(`${JSON.stringify(event)}\n`));
  return reader.finish({ exitCode, signal: null, stderr: "", ended: "by-itself", durationMs: 0 });
}

const said = (text: string) => ({ type: "assistant", message: { content: [{ type: "text", text }] } });

const FULL = [
  { type: "system", subtype: "init", session_id: "s-1", model: "m-1" },
  said("Six times seven\nis 42."),
  {
    type: "result",
    is_error: false,
    terminal_reason: "completed",
    stop_reason: "end_turn",
    num_turns: 2,
    usage: { input_tokens: 5, output_tokens: 6, cache_read_input_tokens: 7 },
    total_cost_usd: 0.0125,
    permission_denials: [{ tool_name: "Bash", tool_use_id: "t" }],
  },
];

describe("the report of a run", () => {
  test("tells in a few lines what came of it", () => {
    expect(showRecording(resultOf(FULL), PLAIN)).toBe(
      [
        "run      succeeded, claude-code with m-1",
        "exit     0, completed, end_turn",
        "session  s-1",
        "turns    2",
        "tokens   5 in, 6 out; cache 7 read, 0 written",
        "cost     $0.0125",
        "denied   Bash",
        "events   3",
        "warning  permission-denied: 1 call was refused: Bash",
        "",
        "Six times seven",
        "is 42.",
      ].join("\n"),
    );
  });

  test("tells a failure and its status", () => {
    const failed = { type: "result", is_error: true, result: "Invalid key\nFix it", api_error_status: 401 };
    expect(showRecording(resultOf([failed], 1), MARKED)).toContain("<red>failed (auth)</red>");
    expect(showRecording(resultOf([failed], 1), PLAIN)).toBe(
      [
        "run     failed (auth), claude-code",
        "error   Invalid key",
        "        Fix it",
        "status  401",
        "exit    1",
        "tokens  0 in, 0 out",
        "events  1",
      ].join("\n"),
    );
  });

  test("tells a doubt, a silence and a bad exit apart", () => {
    const asked = [said("Which?"), { type: "result", num_turns: 1, stop_reason: "end_turn" }];
    const verdicts = [resultOf(asked), resultOf([{ type: "result" }]), resultOf([said("x"), { type: "result" }], 3)];
    expect(verdicts.map((result) => showRecording(result, MARKED).split("\n")[0]?.split("  ").at(-1))).toEqual([
      "<yellow>doubtful (interactive)</yellow>, claude-code",
      "<yellow>said nothing</yellow>, claude-code",
      "<red>failed</red>, claude-code",
    ]);
  });

  test("fits into 80 columns and a screen, whatever the agent wrote", () => {
    const long = "x".repeat(300);
    const failed = {
      type: "result",
      is_error: true,
      result: `${long}\n`.repeat(9),
      permission_denials: [{ tool_name: long }],
    };
    const events = [said(`${long}\n`.repeat(40)), failed];
    const shown = showRecording(resultOf(events, 1), PLAIN).split("\n");
    expect(shown.filter((line) => line.length > 80)).toEqual([]);
    expect(shown.length).toBeLessThan(30);
    expect(shown.at(-1)).toBe("… 28 more lines");
  });
});
