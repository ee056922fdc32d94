import { describe, expect, test } from "vitest";
import { REQUESTS } from "./requests/index.generated.ts";
import { fieldShapesOf } from "./shape-of.ts";
import type { FieldShape } from "./shape.ts";
import { lengthen, shortenShape } from "./short-shape.ts";

describe("a shape written short", () => {
  test.each<[FieldShape, unknown]>([
    [{ is: "text" }, "text"],
    [{ is: "number", optional: true }, "number?"],
    [{ is: "either", of: [{ is: "text" }, { is: "null" }], optional: true }, "text|null?"],
    [
      { is: "text", min: 1 },
      { is: "text", min: 1 },
    ],
    [
      { is: "word", of: ["a", null] },
      { is: "word", of: ["a", null] },
    ],
    [
      { is: "list", of: { is: "object", fields: { a: { is: "any", optional: true } } } },
      { is: "list", of: { is: "object", fields: { a: "any?" } } },
    ],
  ])("%j is %j, and back", (shape, short) => {
    expect([shortenShape(shape), lengthen(shortenShape(shape))]).toEqual([short, shape]);
  });

  test.each(Object.values(REQUESTS))("loses nothing of $name", ({ name, request, reply }) => {
    const shapes = [...Object.values(fieldShapesOf(request, name)), ...Object.values(fieldShapesOf(reply, name))];
    expect(shapes.map((shape) => lengthen(shortenShape(shape)))).toEqual(shapes);
  });
});
