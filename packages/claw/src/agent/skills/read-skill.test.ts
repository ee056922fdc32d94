import { LIMITS } from "@claw/contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseSkill } from "./read-skill.ts";

test.each([
  [
    "---\nname: a\ndescription: Does it: all.\n---\n\n# A\nDo.",
    { name: "a", description: "Does it: all.", body: "# A\nDo." },
  ],
  ["\uFEFF---\r\nname: \"a\"\r\ndescription: 'b'\r\n---\r\nDo.\r\n", { name: "a", description: "b", body: "Do." }],
  [
    "---\ndescription: >-\n  Folded\n  text.\nname: a\n---\nDo.",
    { name: "a", description: "Folded text.", body: "Do." },
  ],
  ["---\ndescription: Goes on\n  below.\n---", { name: null, description: "Goes on below.", body: "" }],
  [
    "# Title\n\nFirst\nparagraph.\n\nSecond.",
    { name: null, description: "First paragraph.", body: "# Title\n\nFirst\nparagraph.\n\nSecond." },
  ],
  [
    "---\nname: never closed",
    { name: null, description: "---\nname: never closed".replace("\n", " "), body: "---\nname: never closed" },
  ],
  ["", { name: null, description: "", body: "" }],
])("%j is taken apart", (text, parts) => {
  expect(parseSkill(text)).toEqual(parts);
});

test("any text is taken apart, and described within bounds", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("---", "name:", "description: x", " y", "\n", "z".repeat(900))), (parts) => {
      expect(parseSkill(parts.join("")).description.length).toBeLessThanOrEqual(LIMITS.skillDescriptionChars);
    }),
  );
});
