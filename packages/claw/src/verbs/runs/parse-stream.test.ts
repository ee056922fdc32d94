import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject, RunResult } from "claw-contract";
import { createRedactor } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { callVerb } from "../runtime/handle.conformance.ts";
import { createTestPorts, textInput, MARKED, PLAIN } from "../testing/test-ports.ts";
import { createRunReader, HARNESSES } from "../../harness/index.ts";
import { showRecording } from "./parse-stream.ts";

const lines = (...events: object[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join("");
const said = (text: string) => ({ type: "assistant", message: { content: [{ type: "text", text }] } });
const INIT = { type: "system", subtype: "init", apiKeySource: "none" };
const END = { type: "result", subtype: "success", is_error: false, usage: { input_tokens: 3 } };
const STREAM = lines(INIT, said("hi"), END);

const folder = (): string => temporaryFolder(onTestFinished);

async function parsed(input: JsonObject, ports = createTestPorts(folder())): Promise<RunResult | string> {
  const outcome = await callVerb("parse-stream", { harness: "claude-code", ...input }, ports);
  if (outcome.kind === "failure") return outcome.code;
  return outcome.kind === "data" ? (outcome.data["result"] as RunResult) : outcome.kind;
}

describe("a recording", () => {
  test("in a file and on standard input come to the same result", async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "run.ndjson"), STREAM);
    const result = await parsed({ file: "run.ndjson" }, createTestPorts(cwd));
    expect(result).toMatchObject({ output: "hi", input_tokens: 3, exit_code: 0, raw_messages_count: 3 });
    expect(await parsed({ file: "-" }, createTestPorts(cwd, { stdin: textInput(STREAM) }))).toEqual(result);
    expect(await parsed({}, createTestPorts(cwd, { stdin: textInput(STREAM) }))).toEqual(result);
  });

  test("that is not there, is a folder, or is to be typed by a person is refused", async () => {
    const cwd = folder();
    mkdirSync(join(cwd, "folder"));
    const ports = createTestPorts(cwd);
    expect([
      await parsed({ file: "none" }, ports),
      await parsed({ file: "folder" }, ports),
      await parsed({}, ports),
    ]).toEqual(["RECORDING_NOT_FOUND", "FILESYSTEM_ERROR", "MISSING_ARGUMENT"]);
  });

  test("is told how its process ended", async () => {
    const ports = createTestPorts(folder(), { stdin: textInput(STREAM) });
    expect(await parsed({ exitCode: 7 }, ports)).toMatchObject({ exit_code: 7, succeeded: false });
  });

  test("is read without secrets", async () => {
    const stdin = textInput(lines(said("the key is hunter2-hunter2"), END));
    const redactor = createRedactor({ secrets: ["hunter2-hunter2"] });
    const result = await parsed({}, createTestPorts(folder(), { stdin, redactor }));
    expect(JSON.stringify(result)).not.toContain("hunter2");
  });
});

describe("what is said beside the result", () => {
  test("is told to people alone, by the name of the run", async () => {
    const told: string[] = [];
    const announce = (text: string): void => void told.push(text);
    await parsed({ subject: "nightly" }, createTestPorts(folder(), { stdin: textInput(`{bad\n${STREAM}`), announce }));
    expect(told).toEqual([
      "claw.run: skipping malformed stream-json line: line 1: {bad",
      "claw.run: apiKeySource=none (nightly)",
    ]);
  });

  test("warns of a doubt, unless nobody wants to doubt", async () => {
    const asked = lines(said("Which?"), { ...END, num_turns: 1, stop_reason: "end_turn" });
    const notesOf = async (input: JsonObject) => {
      const ports = createTestPorts(folder(), { stdin: textInput(asked) });
      await parsed(input, ports);
      return ports.notes.notes().warnings;
    };
    expect(await notesOf({})).toEqual([expect.stringMatching(/^interactive-hang: /)]);
    expect(await notesOf({ noHangHeuristic: true })).toEqual([]);
  });
});

describe("a recording of another agent", () => {
  test("is read, and the warning names the right one", async () => {
    const ports = createTestPorts(folder(), { stdin: textInput(STREAM) });
    expect(await parsed({ harness: "codex" }, ports)).toMatchObject({ output: "", raw_messages_count: 3 });
    expect(ports.notes.notes().warnings).toEqual([
      "wrong-harness: the stream is of claude-code and was read as one of codex; read it with --harness claude-code",
    ]);
  });
});

describe("events", () => {
  test("are passed on as they come to a program that follows, and are not in the answer again", async () => {
    const emitted: unknown[] = [];
    const emit = async (item: unknown) => void emitted.push(item);
    const events = [INIT, said("hi"), { type: "brand_new" }, END];
    const stdin = textInput(lines(...events));
    const result = await parsed({}, createTestPorts(folder(), { stdin, streaming: true, emit }));
    const native = { type: "native", harness: "claude-code", event: { type: "brand_new" } };
    expect(emitted).toEqual([INIT, said("hi"), native, END]);
    expect(result).toMatchObject({ raw_messages: [], stream_events: [], raw_messages_count: 4, truncated: false });
  });

  test("are not shown to people one by one", async () => {
    const emit = () => Promise.reject(new Error("nobody asked"));
    const ports = createTestPorts(folder(), { stdin: textInput(STREAM), streaming: true, forPeople: true, emit });
    expect(await parsed({}, ports)).toMatchObject({ output: "hi" });
  });

  test("too many for an answer are in a file: the recording, or one made for it", async () => {
    const cwd = folder();
    const file = join(cwd, "run.ndjson");
    const text = lines(...Array.from({ length: 200 }, (_, index) => said(`message ${index}`)), END);
    writeFileSync(file, text);
    const small = { maxAnswerBytes: 20_000 };
    const moved = { raw_messages: [], stream_events: [], raw_messages_count: 201, truncated: true };
    const held = (await parsed({ file: "run.ndjson" }, createTestPorts(cwd, small))) as RunResult;
    expect(held).toMatchObject({ ...moved, raw_messages_path: file, stream_events_path: file });
    const made = (await parsed({}, createTestPorts(cwd, { ...small, stdin: textInput(text) }))) as RunResult;
    expect(made).toMatchObject(moved);
    expect(readFileSync(made.raw_messages_path ?? "", "utf8")).toBe(text);
  });
});

function resultOf(events: readonly object[], exitCode = 0): RunResult {
  const reader = createRunReader(HARNESSES["claude-code"]);
  for (const event of events) reader.push(Buffer.from(`${JSON.stringify(event)}\n`));
  return reader.finish({ exitCode, signal: null, stderr: "", ended: "by-itself", durationMs: 0 });
}

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
