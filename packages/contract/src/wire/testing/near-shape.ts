import * as fc from "fast-check";
import type { FieldShape, Shape } from "../shape.ts";

type Limits = { readonly min?: number; readonly max?: number };

/** Values near the edges of a text's limits. */
function textNear({ min = 0, max = min + 5 }: Limits): fc.Arbitrary<unknown> {
  const lengths = [min - 1, min, max, max + 1].filter((length) => length >= 0 && length < 10_000);
  return fc.oneof(
    fc.string(),
    fc.constantFrom("", " ", "a\0", "p_1", "A=B"),
    fc.constantFrom(...lengths.map((length) => "a".repeat(length))),
  );
}

const textFitting = ({ min = 0, max = min + 5 }: Limits): fc.Arbitrary<string> =>
  fc.string({ minLength: min, maxLength: Math.min(max, min + 5) });

const numberNear = ({ min = 0, max = min, above = min }: Limits & { readonly above?: number }) =>
  fc.constantFrom(min - 1, min, max, max + 1, above, above + 0.5, 1.5);

const digits = (min: number, max: number): fc.Arbitrary<string> =>
  fc.integer({ min, max }).map((number) => String(number).padStart(2, "0"));

/** Times around the ends of months, days and hours. */
const timeNear = fc
  .tuple(
    fc.constantFrom("2023", "2024", "1900", "2000"),
    digits(0, 13),
    digits(28, 32),
    digits(22, 25),
    fc.constantFrom("Z", "z", "", "+01:00", "-23:59", "+24:00", "+0100"),
  )
  .map(([year, month, day, hour, offset]) => `${year}-${month}-${day}T${hour}:00:00.5${offset}`);

const time = fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString());

const uuidNear = fc.oneof(
  fc.uuid().map((uuid) => uuid.toUpperCase()),
  fc.constantFrom(..."0f9F".split("").map((digit) => "00000000-0000-0000-0000-000000000000".replaceAll("0", digit))),
  fc.uuid({ version: 4 }).map((uuid) => uuid.replace("-4", "-9")),
);

const junk = fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string(), fc.constant([]), fc.constant({}));

/** Mostly usual values. Few values, because an object fits only when all of its fields do. */
const often = (usual: fc.Arbitrary<unknown>, near: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: near }, { weight: 1, arbitrary: junk });

/** Objects whose fields often have their shapes, and often just miss them. Some objects lack a field. */
export function objectNear(fields: Readonly<Record<string, FieldShape>>): fc.Arbitrary<Record<string, unknown>> {
  const names = Object.keys(fields);
  const values: Record<string, fc.Arbitrary<unknown>> = { other: junk };
  for (const [name, field] of Object.entries(fields)) values[name] = nearShape(field);
  const requiredKeys = names.filter((name) => fields[name]?.optional !== true);
  const objects = fc.record(values, { requiredKeys });
  return fc
    .tuple(objects, often(fc.constant(undefined), fc.constantFrom(undefined, ...names)))
    .map(([object, lacking]) => Object.fromEntries(Object.entries(object).filter(([name]) => name !== lacking)));
}

/** JSON values that often have the shape, and often just miss it. */
export function nearShape(shape: Shape): fc.Arbitrary<unknown> {
  switch (shape.is) {
    case "text":
      return often(textFitting(shape), textNear(shape));
    case "number":
      return often(
        fc.integer({ min: Math.ceil(shape.min ?? (shape.above ?? -1) + 1), max: shape.max ?? 1e6 }),
        numberNear(shape),
      );
    case "word":
      return often(fc.constantFrom(...shape.of), fc.constant("no such word"));
    case "list":
      return often(
        fc.array(nearShape(shape.of), { minLength: shape.min ?? 0, maxLength: (shape.min ?? 1) + 2 }),
        fc.constant([]),
      );
    case "record":
      return often(
        fc.dictionary(nearShape(shape.names ?? { is: "text" }).map(String), nearShape(shape.of), { maxKeys: 3 }),
        junk,
      );
    case "object":
      return often(objectNear(shape.fields), junk);
    case "either":
      return fc.oneof(...shape.of.map(nearShape));
    case "time":
    case "moment":
      return often(time, timeNear);
    case "uuid":
      return often(fc.uuid(), uuidNear);
    case "boolean":
      return often(fc.boolean(), junk);
    case "null":
      return fc.constant(null);
    case "any":
      return junk;
  }
}

/** Says how often `check` accepts values near a shape. Throws when it does not judge a value as the schema does. */
export function countAccepted(shape: Shape, check: (value: unknown) => boolean, accepts: (value: unknown) => boolean) {
  const counts = { accepted: 0, refused: 0 };
  const property = fc.property(nearShape(shape), (value) => {
    const verdict = check(value);
    counts[verdict ? "accepted" : "refused"] += 1;
    return verdict === accepts(value);
  });
  fc.assert(property, { numRuns: 2000 });
  return counts;
}
