import { describe, expect, test } from "vitest";
import { REPLY_SHAPES, SHARED_SHAPES } from "./reply-shapes.generated.ts";
import { REQUESTS } from "./requests/index.generated.ts";
import { fieldShapesOf } from "./shape-of.ts";
import type { Shape } from "./shape.ts";
import type { ShortShape } from "./reply-check.ts";
import { lengthen, lengthenFields } from "./reply-check.ts";

describe("a shape written short", () => {
  test.each<[ShortShape, Shape]>([
    ["text", { is: "text" }],
    ["text:1", { is: "text", min: 1 }],
    ["number::0.5", { is: "number", max: 0.5 }],
    ["whole:0:9", { is: "number", whole: true, min: 0, max: 9 }],
    ["=a,b", { is: "word", of: ["a", "b"] }],
    ["#0|null", { is: "either", of: [{ is: "list", of: { is: "time" } }, { is: "null" }] }],
    [["text", null, 3], { is: "list", of: { is: "text" }, max: 3 }],
    [{ "a?": "any" }, { is: "object", fields: { a: { is: "any", optional: true } } }],
    [
      { is: "word", of: ["a", null] },
      { is: "word", of: ["a", null] },
    ],
  ])("%j is %j", (short, shape) => {
    expect(lengthen(short, [["time"]])).toEqual(shape);
  });

  test.each(Object.values(REQUESTS))("loses nothing of the reply to $name", ({ name, reply }) => {
    expect(lengthenFields(REPLY_SHAPES[name](), SHARED_SHAPES())).toEqual(fieldShapesOf(reply, name));
  });
});
