import { expect, test } from "vitest";
import { chooseSome } from "../scripts/mutate/choose-some.ts";
import { applyChange, findChanges, showChange } from "../scripts/mutate/find-changes.ts";

const SOURCE = `import { a } from "./a1.ts";
type Limit = 3 | true;
/** Not 4 < 5. */
export function cut(text: string, most = 10): string {
  if (text.length < most) return text;
  a(text);
  return "x" + text;
}
`;

const changes = findChanges("cut.ts", SOURCE);

test("every change of the code is found, and none of types, imports and comments", () => {
  expect(changes.map((change) => `${change.line} ${change.kind} ${change.text}`)).toEqual([
    expect.stringMatching(/^4 number (9|11)$/),
    "5 condition !(text.length < most)",
    "5 statement ;",
    "5 operator <=",
    "6 statement ;",
  ]);
});

test("the length of a pause is no change, and other numbers are", () => {
  const source = `const POLL_MS = 20;
const GIVE_UP_MS = 2 * (60 * 1_000);
const wait = (forMs = 5) => ({ silentMs: 7, rows: 9, pauses: [3] });
if (sinceMs > 4) pause(6);`;
  expect(findChanges("wait.ts", source).flatMap(({ kind, line }) => (kind === "number" ? [line] : []))).toEqual([
    3, 3, 4, 4,
  ]);
});

test("a change is made at its place alone, and shown as a diff", () => {
  const operator = changes.find(({ kind }) => kind === "operator");
  expect(operator && [applyChange(SOURCE, operator), showChange(SOURCE, operator)]).toEqual([
    SOURCE.replace("length < most", "length <= most"),
    "    - if (text.length < most) return text;\n    + if (text.length <= most) return text;",
  ]);
});

test("a seed chooses the same changes each time, and never one twice", () => {
  const things = Array.from({ length: 50 }, (_, index) => index);
  expect(chooseSome(things, 20, 7)).toEqual(chooseSome(things, 20, 7));
  expect(chooseSome(things, 20, 7)).not.toEqual(chooseSome(things, 20, 8));
  expect(new Set(chooseSome(things, 60, 7))).toEqual(new Set(things));
});
