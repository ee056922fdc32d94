import { expect, test } from "vitest";
import { subjectParts } from "./subject-parts.ts";

test("a command comes first, word by word, then the change, then the rest", () => {
  const subject = {
    cwd: "/x",
    tool: "Bash",
    argv: ["rm", "-rf", "my dir"],
    input: { command: ["rm", "-rf", "my dir"], description: "old" },
    diff: "@@",
  };
  expect(subjectParts({ subject })).toEqual([
    { kind: "command", argv: ["rm", "-rf", "my dir"], text: "rm -rf my dir" },
    { kind: "diff", text: "@@" },
    { kind: "field", name: "cwd", text: "/x" },
    { kind: "field", name: "tool", text: "Bash" },
    { kind: "field", name: "input", text: '{\n  "description": "old"\n}' },
  ]);
});

test("a command line stays whole, and an input that only repeats it is left out", () => {
  expect(subjectParts({ subject: { command: "a && b", input: { command: "a && b" } } })).toEqual([
    { kind: "command", argv: null, text: "a && b" },
  ]);
});

test("a patch inside the input is shown, and words that are none make no command", () => {
  expect(subjectParts({ subject: { argv: [1, 2], input: { patch: "+x" } } })).toEqual([
    { kind: "diff", text: "+x" },
    { kind: "field", name: "input", text: '{\n  "patch": "+x"\n}' },
  ]);
});
