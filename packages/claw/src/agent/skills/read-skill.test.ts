import { LIMITS } from "claw-contract";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseSkill } from "./read-skill.ts";

test.each([
  [
    "---\nname: a\ndescription: Does it: all.\n---\n\n# A\nDo.",
    {
      name: "a",
      description: "Does it: all.",
      body: "# A\nDo.",
      headProblem: "line 3: Nested mappings are not allowed in compact mappings",
    },
  ],
  [
    "---\nname: 'it''s' # not this\ndescription: \"one \\\"two\\\"\\nthree\"\nmetadata:\n  name: inner\n---\nDo.",
    { name: "it's", description: 'one "two" three', body: "Do." },
  ],
  ["---\nname: 1.0\ndescription: [no, text]\n---\nDo.", { name: "1.0", description: "Do.", body: "Do." }],
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
])("%j is taken apart", async (text, parts) => {
  expect(await parseSkill(text)).toEqual({ headProblem: null, headChars: expect.any(Number), ...parts });
});

test("any text is taken apart, and described within bounds", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("---", "name:", "description: x", " y", "\n", "z".repeat(900), "&a [*a]", "\t", "'")),
      async (parts) => {
        const { description } = await parseSkill(parts.join(""));
        expect(description.length).toBeLessThanOrEqual(LIMITS.skillDescriptionChars);
      },
    ),
  );
});

test("names for repeated parts, depth and length are bounded", async () => {
  const laughs = Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n},`.repeat(9)}]`).join("\n");
  const heads = [
    `a0: &a0 [x]\n${laughs}`,
    `x: ${"[".repeat(4000)}`,
    `x: ${"y".repeat(LIMITS.skillHeadChars)}`,
    "x: *none",
  ];
  const read = await Promise.all(heads.map((head) => parseSkill(`---\nname: a\n${head}\n---\nDo.`)));
  expect(read.map(({ name, headProblem }) => [name, headProblem])).toEqual([
    ["a", "Excessive alias count indicates a resource exhaustion attack"],
    ["a", "it is nested too deeply"],
    ["a", "it is too long to be read"],
    ["a", "Unresolved alias (the anchor must be set before the alias): none"],
  ]);
});
