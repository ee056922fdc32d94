import { expect, test } from "vitest";
import { saysContextOverflow } from "./context-overflow.ts";

test.each([
  ["prompt is too long: 215000 tokens > 200000 maximum", true],
  ["input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000", true],
  ["This model's maximum context length is 4096 tokens.", true],
  ["messages: at least one message is required", false],
  ["", false],
])("%j is understood", (text, expected) => {
  expect(saysContextOverflow(text)).toBe(expected);
});
