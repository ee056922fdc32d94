import { checkOf } from "./check-shape.ts";
import type { FieldShape } from "./shape.ts";

type Fields = Readonly<Record<string, unknown>>;

export type Reading =
  | { readonly kind: "read"; readonly fields: Fields }
  | {
      readonly kind: "refused";
      readonly field: string;
      readonly problem: "missing" | "invalid";
      /** The wire's own text for this refusal, where the contract has one. */
      readonly refusal: string | undefined;
    };

/** Reads the fields of a request, in the order of the contract. The first field that does not fit decides. */
export type ReadFields = (given: Fields) => Reading;

type FieldReading =
  | { readonly kind: "kept" | "missing" | "invalid" }
  | { readonly kind: "set"; readonly value: unknown };

const KEPT: FieldReading = { kind: "kept" };

function readerOf(field: FieldShape): (value: unknown) => FieldReading {
  const fits = checkOf(field);
  const { preset } = field;
  const absent: FieldReading =
    preset !== undefined
      ? { kind: "set", value: preset }
      : field.optional === true || field.loose === true
        ? KEPT
        : { kind: "missing" };
  const unfit: FieldReading = field.loose === true ? { kind: "set", value: preset } : { kind: "invalid" };
  return (value) => (value === undefined ? absent : fits(value) ? KEPT : unfit);
}

/** Makes the reader of a request. Fields that the contract does not name pass through. */
export function createReadFields(shapes: Readonly<Record<string, FieldShape>>): ReadFields {
  const readers = Object.entries(shapes).map(
    ([name, field]) => ({ name, read: readerOf(field), refusal: field.refusal }) as const,
  );
  return (given) => {
    let fields = given;
    for (const { name, read, refusal } of readers) {
      const reading = read(given[name]);
      if (reading.kind === "kept") continue;
      if (reading.kind !== "set") return { kind: "refused", field: name, problem: reading.kind, refusal };
      fields = { ...fields, [name]: reading.value };
    }
    return { kind: "read", fields };
  };
}
