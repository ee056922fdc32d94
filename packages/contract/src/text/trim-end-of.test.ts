import { expect, test } from "vitest";
import { trimEndOf } from "./trim-end-of.ts";

test.each([
  ["/a//b//", "/", "/a//b"],
  ["a.!?", "?!.", "a"],
  ["///", "/", ""],
  ["", "/", ""],
  ["/a", "/", "/a"],
])("%j without %j at its end is %j", (text, characters, rest) => expect(trimEndOf(text, characters)).toBe(rest));
