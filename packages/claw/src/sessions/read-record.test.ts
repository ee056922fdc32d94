import { SessionRecord } from "claw-contract/schemas";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readRecord } from "./read-record.ts";

const count = fc.nat();
const optional = (fields: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[] = []) =>
  fc.record(fields, { requiredKeys });

const usage = optional({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
});

const block = fc.oneof(
  fc.record({ type: fc.constant("text"), text: fc.string() }),
  optional({ type: fc.constant("thinking"), thinking: fc.string(), signature: fc.string() }, ["type", "thinking"]),
  fc.record({ type: fc.constant("tool_use"), id: fc.string(), name: fc.string(), input: fc.string() }),
  fc.record({
    type: fc.constant("tool_result"),
    tool_use_id: fc.string(),
    tool_name: fc.string(),
    output: fc.string(),
    is_error: fc.boolean(),
  }),
);

const message = optional(
  { role: fc.constantFrom("system", "user", "assistant", "tool"), blocks: fc.array(block, { maxLength: 3 }), usage },
  ["role", "blocks"],
);

const totals = fc.record({
  messages: count,
  prompts: count,
  turns: count,
  input_tokens: count,
  output_tokens: count,
  latest_total: count,
  estimated_tokens: count,
});

const turnId = fc.string({ minLength: 1 });

const record = fc.oneof(
  optional(
    {
      type: fc.constant("session_meta"),
      version: fc.integer(),
      session_id: fc.string(),
      created_at_ms: count,
      model: fc.string(),
    },
    ["type", "version", "session_id", "created_at_ms"],
  ),
  optional({ type: fc.constant("message"), turn_id: turnId, timestamp_ms: count, message }, ["type", "message"]),
  optional(
    {
      type: fc.constant("compaction"),
      turn_id: turnId,
      count,
      removed_message_count: count,
      summary: fc.string(),
    },
    ["type", "count", "removed_message_count", "summary"],
  ),
  fc.record({ type: fc.constant("prompt_history"), timestamp_ms: count, text: fc.string() }),
  fc.record({ type: fc.constant("turn_commit"), turn_id: turnId, timestamp_ms: count, totals }),
);

test("every record its schema accepts is read as it stands", () => {
  fc.assert(
    fc.property(record, (value) => {
      expect(SessionRecord.safeParse(value).success).toBe(true);
      const line = JSON.stringify(value);
      expect(readRecord(line)).toEqual({ kind: "record", record: JSON.parse(line) });
    }),
    { numRuns: 200 },
  );
});

describe("any line", () => {
  test("is read without throwing", () => {
    const line = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json(),
      fc.tuple(record, fc.nat(400)).map(([value, length]) => JSON.stringify(value).slice(0, length)),
      fc
        .tuple(
          fc.constantFrom("message", "session_meta", "turn_commit", "compaction", "__proto__"),
          fc.dictionary(fc.constantFrom("message", "version", "totals", "turn_id", "summary"), fc.jsonValue()),
        )
        .map(([type, fields]) => JSON.stringify({ ...fields, type })),
    );
    fc.assert(
      fc.property(line, (text) => {
        expect(["record", "unknown", "blank", "broken"]).toContain(readRecord(text).kind);
      }),
      { numRuns: 500 },
    );
  });

  test.each([["", " ", "\t\r"]])("that is empty is blank", (...lines) => {
    expect(lines.map(readRecord)).toEqual(lines.map(() => ({ kind: "blank" })));
  });

  test.each(["future", "toString", "__proto__", "constructor", ""])("of type %j is kept and passed over", (type) => {
    expect(readRecord(JSON.stringify({ type }))).toEqual({ kind: "unknown" });
  });

  test.each([
    ["{", "it is not JSON"],
    ["null", "it is no typed record"],
    ["[]", "it is no typed record"],
    ['"text"', "it is no typed record"],
    ["{}", "it is no typed record"],
    ['{"type":5}', "it is no typed record"],
    ['{"type":"session_meta"}', "version must be a whole number"],
    ['{"type":"session_meta","version":1.5}', "version must be a whole number"],
    ['{"type":"message"}', "message must be an object"],
    [
      '{"type":"message","message":{"role":"dog","blocks":[]}}',
      "message role must be one of system, user, assistant, tool",
    ],
    ['{"type":"message","message":{"role":"user"}}', "message blocks must be a list"],
    [
      '{"type":"message","message":{"role":"user","blocks":[{"type":"text","text":""},{}]}}',
      "message blocks has a wrong entry: type must be text",
    ],
    ['{"type":"message","message":{"role":"user","blocks":[],"usage":7}}', "message usage must be an object"],
    [
      '{"type":"message","message":{"role":"user","blocks":[],"usage":{"output_tokens":-1}}}',
      "message usage output_tokens must be a whole number that is not below 0",
    ],
    ['{"type":"compaction"}', "summary must be text"],
    ['{"type":"prompt_history","text":1}', "text must be text"],
    ['{"type":"turn_commit","totals":{}}', "turn_id must be text"],
    [
      '{"type":"turn_commit","turn_id":"t","totals":{"messages":1}}',
      "totals prompts must be a whole number that is not below 0",
    ],
  ])("%s is broken, and it says why", (line, why) => {
    expect(readRecord(line)).toEqual({ kind: "broken", why });
  });
});
