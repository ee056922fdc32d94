import { expect, test } from "vitest";
import type { Shape } from "./shape.ts";
import { misfitsOf } from "./shape-misfits.ts";

const question: Shape = {
  is: "object",
  fields: {
    kind: { is: "word", of: ["question"] },
    asks: { is: "text" },
    tags: { is: "list", of: { is: "text" }, max: 2 },
  },
};
const either: Shape = {
  is: "either",
  of: [question, { is: "object", fields: { kind: { is: "word", of: ["rest"] } } }, { is: "null" }],
};
const record: Shape = { is: "record", of: { is: "number", whole: true, min: 0 } };

test.each<[string, Shape, unknown, [path: (string | number)[], message: string][]]>([
  ["a value that fits has none", question, { kind: "question", asks: "?", tags: [] }, []],
  ["a missing field is named", question, { kind: "question", tags: [] }, [[["asks"], "is missing"]]],
  [
    "each wrong field is named",
    question,
    { kind: "other", asks: 1, tags: ["a", 2] },
    [
      [["kind"], "must be one of question"],
      [["asks"], "must be text"],
      [["tags", 1], "must be text"],
    ],
  ],
  [
    "a list that is too long is wrong as a whole",
    question,
    { kind: "question", asks: "?", tags: ["a", "b", "c"] },
    [[["tags"], "has a wrong value"]],
  ],
  [
    "of several objects, the words say which is meant",
    either,
    { kind: "question", asks: 1, tags: [] },
    [[["asks"], "must be text"]],
  ],
  ["a value that none of several is meant by is wrong as a whole", either, { kind: "no" }, [[[], "has a wrong value"]]],
  ["an entry of a record is named", record, { a: 1, b: -1 }, [[["b"], "must be a whole number that is not below 0"]]],
  ["another kind of value is wrong as a whole", record, "text", [[[], "has a wrong value"]]],
])("%s", (_name, shape, value, misfits) => {
  expect(misfitsOf(shape, value).map(({ path, message }) => [path, message])).toEqual(misfits);
});
