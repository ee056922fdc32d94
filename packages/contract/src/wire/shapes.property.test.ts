import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkOf } from "./check-shape.ts";
import { createReadFields } from "./read-fields.ts";
import { REQUESTS } from "./requests/index.generated.ts";
import { fieldShapesOf } from "./shape-of.ts";
import type { FieldShape, Shape } from "./shape.ts";

/** Values near the edges of a text's limits. */
function textNear({ min = 0, max = min + 5 }: { readonly min?: number; readonly max?: number }): fc.Arbitrary<unknown> {
  const lengths = [min - 1, min, max, max + 1].filter((length) => length >= 0 && length < 10_000);
  return fc.oneof(
    fc.string(),
    fc.constantFrom("", " ", "a\0", "p_1", "A=B"),
    fc.constantFrom(...lengths.map((length) => "a".repeat(length))),
  );
}

const numberNear = ({ min = 0, max = min, above = min }: { min?: number; max?: number; above?: number }) =>
  fc.constantFrom(min - 1, min, max, max + 1, above, above + 0.5, 1.5);

const digits = (min: number, max: number): fc.Arbitrary<string> =>
  fc.integer({ min, max }).map((number) => String(number).padStart(2, "0"));

/** Times around the ends of months, days and hours. */
const time = fc
  .tuple(
    fc.constantFrom("2023", "2024", "1900", "2000"),
    digits(0, 13),
    digits(28, 32),
    digits(22, 25),
    fc.constantFrom("Z", "z", "", "+01:00", "-23:59", "+24:00", "+0100"),
  )
  .map(([year, month, day, hour, offset]) => `${year}-${month}-${day}T${hour}:00:00.5${offset}`);

/** Values that often have the shape, and often just miss it. */
function near(shape: Shape): fc.Arbitrary<unknown> {
  switch (shape.is) {
    case "text":
      return textNear(shape);
    case "number":
      return numberNear(shape);
    case "word":
      return fc.constantFrom(...shape.of, "no such word");
    case "list":
      return fc.array(near(shape.of), { maxLength: (shape.min ?? 1) + 2 });
    case "record":
      return fc.dictionary(near(shape.names ?? { is: "text" }).map(String), near(shape.of), { maxKeys: 3 });
    case "object":
      return objectNear(shape.fields);
    case "either":
      return fc.oneof(...shape.of.map(near));
    case "time":
    case "moment":
      return fc.oneof(time, near({ is: "text" }));
    case "any":
    case "boolean":
    case "null":
      return fc.constantFrom(true, null, "text", 1);
  }
}

const junk = fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string(), fc.constant([]), fc.constant({}));

const objectNear = (fields: Readonly<Record<string, FieldShape>>): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, fc.oneof({ weight: 9, arbitrary: near(field) }, junk)]),
    ),
    { requiredKeys: [] },
  );

describe.each(Object.values(REQUESTS))("$name", ({ name, request, reply }) => {
  const shapes = fieldShapesOf(request, name);

  test("the reader accepts, fills in and drops what the schema does", () => {
    const readFields = createReadFields(shapes);
    fc.assert(
      fc.property(objectNear(shapes), (given) => {
        const parsed = request.safeParse(given);
        const reading = readFields(given);
        expect(reading.kind).toBe(parsed.success ? "read" : "refused");
        const read = reading.kind === "read" ? request.safeParse(reading.fields).data : undefined;
        expect(read).toEqual(parsed.data);
      }),
    );
  });

  test("the check of the reply accepts what the schema accepts", () => {
    const shapesOfReply = fieldShapesOf(reply, name);
    const check = checkOf({ is: "object", fields: shapesOfReply });
    fc.assert(
      fc.property(objectNear(shapesOfReply), (given) => {
        expect(check(given)).toBe(reply.safeParse(given).success);
      }),
    );
  });
});
