import type { SessionRecord } from "claw-contract";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createExportRenderer } from "./export-text.ts";

const message = (role: string, ...blocks: object[]): SessionRecord =>
  ({ type: "message", message: { role, blocks } }) as unknown as SessionRecord;

const meta: SessionRecord = { type: "session_meta", version: 1, session_id: "s", created_at_ms: 1 };

function write(format: "markdown" | "json", ...records: SessionRecord[]): string {
  const renderer = createExportRenderer(format, "s1");
  return records.map(renderer.next).join("") + renderer.end();
}

/** The text of one block, without the headings around it. */
const blockText = (block: object): string =>
  write("markdown", message("user", block))
    .replace(/^# Session s1\n\n## User\n\n/, "")
    .slice(0, -1);

describe("Markdown", () => {
  test("has a heading for the session and for each message", () => {
    const text = write("markdown", meta, message("user", { type: "text", text: "hi" }), message("assistant"));
    expect(text).toBe("# Session s1\n\n## User\n\nhi\n\n## Assistant\n\n\n");
  });

  test("of a session with nothing in it is its heading", () => {
    expect(write("markdown")).toBe("# Session s1\n");
  });

  test("says where messages were compacted", () => {
    const text = write("markdown", { type: "compaction", count: 1, removed_message_count: 3, summary: "short" });
    expect(text).toBe("# Session s1\n\n---\n\n*3 messages were compacted.*\n\nshort\n");
  });

  test("quotes thoughts line by line", () => {
    expect(blockText({ type: "thinking", thinking: "a\nb" })).toBe("> a\n> b");
  });

  test("fences what tools were given and answered", () => {
    expect(blockText({ type: "tool_use", id: "1", name: "ls", input: "{}" })).toBe(
      "**Tool call** `ls`\n\n```\n{}\n```",
    );
    const result = { type: "tool_result", tool_use_id: "1", tool_name: "ls", output: "no", is_error: true };
    expect(blockText(result)).toBe("**Tool result** `ls` (error)\n\n```\nno\n```");
  });

  test("has fences longer than any run of ticks inside", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("`", "``", "`````", "\n", "x"), { maxLength: 30 }), (parts) => {
        const input = parts.join("");
        const text = blockText({ type: "tool_use", id: "1", name: "t", input });
        const [, fence = "", inside] = /\n\n(`+)\n([\s\S]*)\n\1$/.exec(text) ?? [];
        expect(inside).toBe(input);
        expect(input.includes(fence)).toBe(false);
      }),
    );
  });

  test.each([
    [{ type: "image", url: "x" }],
    [{ type: "text" }],
    [{ type: "thinking" }],
    [{ type: "tool_use", name: "ls", input: { path: "." } }],
    [{ type: "tool_result", tool_use_id: "1", content: [{ type: "text", text: "x" }] }],
  ])("shows the unknown block %j as it is stored", (block) => {
    expect(blockText(block)).toBe(`\`\`\`\n${JSON.stringify(block)}\n\`\`\``);
  });
});

describe("JSON", () => {
  test("is an array with one record a line", () => {
    const records = [meta, message("user", { type: "text", text: "a\nb" })];
    const text = write("json", ...records);
    expect([JSON.parse(text), text.split("\n").length]).toEqual([records, 5]);
  });

  test("of a session with nothing in it is an empty array", () => {
    expect(write("json")).toBe("[]\n");
  });
});
