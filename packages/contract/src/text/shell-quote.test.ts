import { expect, test } from "vitest";
import { shellQuote } from "./shell-quote.ts";

test("a plain word stays as it is, anything else stands in quotes", () => {
  const words = ["a-b_c.d/e", "--limit=5", "a b", "", "$HOME", "it's", "a\nb", "*", "ü"];
  expect(words.map(shellQuote)).toEqual([
    "a-b_c.d/e",
    "--limit=5",
    "'a b'",
    "''",
    "'$HOME'",
    String.raw`'it'\''s'`,
    "'a\nb'",
    "'*'",
    "'ü'",
  ]);
});
