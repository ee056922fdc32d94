import { describe, expect, test } from "vitest";
import { createRunReader } from "./create-run-reader.ts";
import { HARNESSES } from "../harness-table.ts";
import { createMemorySpool } from "../testing/memory-spool.ts";
import { claude, pick, readEvents, WELL } from "../testing/read-events.ts";

describe("a line past the limit", () => {
  test("is told and skipped, and the next one is read", () => {
    const long = claude.text("x".repeat(500));
    const { result } = readEvents("claude-code", [claude.text("a"), long, claude.text("b"), claude.result()], {
      maxLineBytes: 300,
    });
    const detail = `line 2 has ${JSON.stringify(long).length} bytes, the limit is 300`;
    expect(pick(result, "output", "warnings", "diagnostics", "raw_messages_count")).toEqual({
      output: "a\nb",
      warnings: [`oversize stream-json line skipped: ${detail}`],
      diagnostics: [`skipping oversize stream-json line: ${detail}`],
      raw_messages_count: 3,
    });
  });
});

describe("text past the limit", () => {
  const read = (...texts: string[]) =>
    readEvents("claude-code", [...texts.map((text) => claude.text(text)), claude.result()], { maxOutputBytes: 10 })
      .result;

  test("is cut at a character, and said to be", () => {
    expect(pick(read("12345", "67€9", "more"), "output", "truncated", "warnings")).toEqual({
      output: "12345\n67",
      truncated: true,
      warnings: ["output-truncated: the agent wrote more text than is kept"],
    });
  });

  test("is not cut when it fits exactly", () => {
    expect(pick(read("12345", "6789"), "output", "truncated", "warnings")).toEqual({
      output: "12345\n6789",
      truncated: false,
      warnings: [],
    });
  });

  test("is still judged: by its last words, and by words of waiting", () => {
    const long = "a".repeat(20);
    const end = claude.result({ num_turns: 1, stop_reason: "end_turn" });
    const judged = (...events: Parameters<typeof readEvents>[1]) =>
      readEvents("claude-code", events, { maxOutputBytes: 10 }).result.error_category;
    expect(judged(claude.text(long), claude.text("And?"), end)).toBe("interactive");
    const launch = claude.call("Task", { run_in_background: true });
    const many = claude.result({ num_turns: 9 });
    expect(judged(launch, claude.text(long), claude.text("still waiting"), many)).toBe("background-task");
    expect(judged(launch, claude.text(long), claude.text("done"), many)).toBe(null);
  });
});

describe("denials past the limit", () => {
  const denial = (id: string, input: unknown) => ({ tool_name: "Write", tool_use_id: id, tool_input: input });
  const read = (...denials: unknown[]) =>
    readEvents("claude-code", [claude.result({ permission_denials: denials })], { maxOutputBytes: 200 }).result;

  test("are kept without what was asked for, then not at all, and said to be cut", () => {
    const many = ["a", "b", "c", "d", "e", "f"].map((id) => denial(id, "x".repeat(100)));
    expect(pick(read(...many), "permission_denials", "truncated")).toEqual({
      permission_denials: [denial("a", "x".repeat(100)), { tool_name: "Write", tool_use_id: "b" }],
      truncated: true,
    });
  });

  test("are not cut when they fit, however often they are told", () => {
    const small = denial("a", "x".repeat(100));
    expect(pick(read(small, small, small), "permission_denials", "truncated")).toEqual({
      permission_denials: [small],
      truncated: false,
    });
  });

  test("that are nested without end do not throw", () => {
    const depth = 100_000;
    const line = `{"type":"result","permission_denials":[${'{"a":'.repeat(depth)}1${"}".repeat(depth)}]}\n`;
    const reader = createRunReader(HARNESSES["claude-code"]);
    expect(() => reader.push(Buffer.from(line))).not.toThrow();
    expect(reader.finish(WELL).permission_denials.length).toBe(1);
  });
});

describe("events past the limit", () => {
  const events = Array.from({ length: 50 }, (_, index) => claude.text(`message ${index}`));
  const lines = events.map((event) => JSON.stringify(event));

  test("are in a file with all before them, and no longer in the arrays", () => {
    const spool = createMemorySpool();
    const { result } = readEvents("claude-code", events, { maxEventsBytes: 1000, spool });
    expect(spool.lines).toEqual(lines);
    expect(result).toMatchObject({
      raw_messages: [],
      stream_events: [],
      raw_messages_count: 50,
      stream_events_count: 50,
      raw_messages_path: spool.path,
      stream_events_path: spool.path,
      truncated: true,
    });
  });

  test("are counted when there is no file, and the arrays keep their beginning", () => {
    const { result } = readEvents("claude-code", events, { maxEventsBytes: 1000 });
    const kept = result.raw_messages.length;
    expect(kept).toBeGreaterThan(5);
    expect(kept).toBeLessThan(50);
    expect([result.raw_messages, result.stream_events]).toEqual([events.slice(0, kept), events.slice(0, kept)]);
    expect([result.raw_messages_count, result.raw_messages_path, result.truncated]).toEqual([50, undefined, true]);
  });

  test("that could not be written are told", () => {
    const spool = createMemorySpool("disk full");
    const { result } = readEvents("claude-code", events, { maxEventsBytes: 1000, spool });
    expect(result.warnings).toContain("spool: disk full");
  });

  test("within it need no file", () => {
    const spool = createMemorySpool();
    const { result } = readEvents("claude-code", events, { spool });
    expect([spool.lines, result.raw_messages_path, result.truncated]).toEqual([[], undefined, false]);
  });
});

describe("nesting", () => {
  test("deeper than can be written again is cut, whatever its form", () => {
    const deep = `{"type":"x","v":${"[".repeat(9000)}${"]".repeat(9000)},"w":${'{"a":'.repeat(9000)}1${"}".repeat(9000)}}`;
    const reader = createRunReader(HARNESSES["claude-code"]);
    reader.push(Buffer.from(`${deep}\n${JSON.stringify(claude.text("ok"))}\n`));
    const result = reader.finish(WELL);
    expect([result.raw_messages_count, result.output]).toEqual([2, "ok"]);
    expect(JSON.stringify(result)).toContain("[nested too deeply]");
  });
});

describe("many warnings", () => {
  test("are counted beyond what people read", () => {
    const reader = createRunReader(HARNESSES.codex);
    reader.push(Buffer.from("{bad\n".repeat(1500)));
    const { warnings, diagnostics } = reader.finish(WELL);
    expect([warnings.length, warnings.at(-1)]).toEqual([1001, "too-many-warnings: 500 more are not told"]);
    expect(diagnostics).toHaveLength(1001);
  });
});

describe("an end", () => {
  test("comes once: what follows it is not read", () => {
    const reader = createRunReader(HARNESSES["claude-code"]);
    reader.push(Buffer.from(JSON.stringify(claude.text("torn"))));
    expect([reader.end().length, reader.end().length, reader.push(Buffer.from("{}\n")).length]).toEqual([1, 0, 0]);
    expect(reader.finish(WELL)).toMatchObject({ output: "torn", raw_messages_count: 1 });
  });
});

describe("what an agent was refused", () => {
  const denial = (n: number) => ({ tool_name: "Write", tool_use_id: `t${n}`, tool_input: { text: "x".repeat(1e6) } });

  test("is kept with what was asked for while there is room, then by name alone", () => {
    const events = Array.from({ length: 50 }, (_, n) => claude.result({ permission_denials: [denial(n), denial(n)] }));
    const { permission_denials: kept } = readEvents("claude-code", events).result;
    expect(kept).toHaveLength(50);
    expect([kept[0], kept[49]]).toEqual([denial(0), { tool_name: "Write", tool_use_id: "t49" }]);
    expect(JSON.stringify(kept).length).toBeLessThan(9e6);
  });
});
