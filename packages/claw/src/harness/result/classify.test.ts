import { describe, expect, test } from "vitest";
import { categoryOfText, CLAUDE_WORDS, CODEX_WORDS } from "./classify.ts";

describe.each([
  ["claude", CLAUDE_WORDS],
  ["codex", CODEX_WORDS],
])("a status code in the words of %s", (_name, words) => {
  test.each([
    ["API Error: Request rejected (429)", "rate_limit"],
    ["last status: 429 Too Many Requests", "rate_limit"],
    ["HTTP/1.1 429, try later", "rate_limit"],
    ["status=429.", "rate_limit"],
    ["http429", "rate_limit"],
    ["401", "auth"],
    ["refused: 403 Forbidden", "auth"],
    ["403 after 84010 bytes", "auth"],
    ["1429 requests, then 429", "rate_limit"],
  ])("decides as a number of its own: %s", (text, category) => {
    expect(categoryOfText(text, words)).toBe(category);
  });

  test.each([
    "request 1742938 failed",
    "84010 bytes",
    "4290 tokens",
    "14290",
    "it took 0.429 s",
    "cost 1,403 cents",
    "429.5 MB free",
    "line 4031",
  ])("says nothing within another number: %s", (text) => {
    expect(categoryOfText(text, words)).toBe("api");
  });
});
