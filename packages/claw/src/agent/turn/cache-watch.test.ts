import { expect, test } from "vitest";
import type { ModelRequest } from "../providers/provider.ts";
import { findCacheBreak, lastAnswered, lastRequestSize, requestPrintOf } from "./cache-watch.ts";

const request: ModelRequest = {
  model: "m",
  system: ["be good"],
  tools: [],
  maxOutputTokens: 1,
  messages: [{ role: "user", blocks: [{ type: "text", text: "hi" }] }],
};

const answered = (cacheReadTokens: number, atMs = 0, of: Partial<ModelRequest> = {}) => ({
  print: requestPrintOf({ ...request, ...of }),
  cacheReadTokens,
  atMs,
});

test.each([
  [answered(5000), answered(3001), undefined],
  [undefined, answered(0), undefined],
  [answered(5000), answered(3000), { unexpected: true, token_drop: 2000 }],
  [answered(5000), answered(0, 300_001), { unexpected: false, reason: "the cache had expired" }],
  [
    answered(5000),
    answered(0, 0, { system: ["x"], tools: [{ name: "t", description: "", inputSchema: {} }] }),
    { unexpected: false, reason: "system, tools changed" },
  ],
])("a drop from %o to %o is %o", (before, now, expected) => {
  const found = findCacheBreak(before, now);
  expect(found === undefined ? undefined : { ...found, ...expected }).toEqual(found);
  expect(found === undefined).toBe(expected === undefined);
});

test("what was added at the end of a conversation changes no print", () => {
  const longer = { ...request, messages: [...request.messages, ...request.messages] };
  expect(requestPrintOf(longer)).toEqual(requestPrintOf(request));
});

test("a stored conversation says what its last request was and weighed", () => {
  const messages = [
    {
      role: "assistant" as const,
      blocks: [],
      usage: { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 4, cache_creation_input_tokens: 8 },
      request: { model: "x" },
      timestamp_ms: 7,
    },
    { role: "user" as const, blocks: [] },
  ];
  expect(lastAnswered(messages)).toEqual({ print: { model: "x" }, cacheReadTokens: 4, atMs: 7 });
  expect(lastRequestSize(messages)).toBe(15);
  expect([lastAnswered([]), lastRequestSize([])]).toEqual([undefined, 0]);
});
