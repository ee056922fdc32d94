import * as fc from "fast-check";
import { expect, test } from "vitest";
import { withBlock, withoutBlock } from "./marked-block.ts";

test("a block is added once, replaced where it stands, and removed without a trace", () => {
  const bytes = fc.array(fc.constantFrom("a", "\n", "\r", "\0", "\xff", "# >>> claw completion >>>", "\n\n"));
  fc.assert(
    fc.property(bytes, fc.constantFrom("one", "two\nlines"), (parts, lines) => {
      const before = parts.join("");
      const added = withBlock(before, lines);
      expect(added.startsWith(before)).toBe(true);
      expect(withBlock(added, lines)).toBe(added);
      expect(withBlock(added, "other")).toBe(withBlock(before, "other"));
      expect(withoutBlock(added)).toBe(before);
      expect(withoutBlock(withBlock(`${added}more\n`, "other"))).toBe(`${before}more\n`);
    }),
  );
});

test("a begin without its end is left alone", () => {
  const half = "# >>> claw completion >>>\nsource x\n";
  expect(withoutBlock(half)).toBe(half);
});

test("a file that claw made goes with its block, unless something was added to it", () => {
  const made = withBlock(undefined, "one");
  expect(withBlock(made, "one")).toBe(made);
  expect(withoutBlock(withBlock(made, "other"))).toBeUndefined();
  expect(withoutBlock(`${made}mine\n`)).toBe("mine\n");
  expect(withoutBlock(withBlock("", "one"))).toBe("");
});
