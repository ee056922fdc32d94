import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkOf } from "./check-shape.ts";
import { createReadFields } from "./read-fields.ts";
import { REQUESTS } from "./requests/index.generated.ts";
import { fieldShapesOf } from "./shape-of.ts";
import { objectNear } from "./testing/near-shape.ts";

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
