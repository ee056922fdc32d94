import { checkOf, isBlank } from "./check-shape.ts";
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

type ReadField = (value: unknown) => FieldReading;

const KEPT: FieldReading = { kind: "kept" };

/** Whether reading may change a value that fits. */
const isChanging = (field: FieldShape): boolean =>
  field.preset !== undefined ||
  field.loose === true ||
  field.blank === true ||
  (field.is === "object" && Object.values(field.fields).some(isChanging));

/** Reads an object that fits: keeps the named fields, with values for absent ones. */
function fillIn(fields: Readonly<Record<string, FieldShape>>): ReadField {
  const readers = Object.entries(fields).map(([name, field]) => [name, readerOf(field)] as const);
  return (given) => {
    const entries = readers.map(([name, read]) => {
      const value = (given as Fields)[name];
      const reading = read(value);
      return [name, reading.kind === "set" ? reading.value : value] as const;
    });
    return { kind: "set", value: Object.fromEntries(entries.filter(([, value]) => value !== undefined)) };
  };
}

function readerOf(field: FieldShape): ReadField {
  const fits = checkOf(field);
  const keep: ReadField =
    field.is === "object" && Object.values(field.fields).some(isChanging) ? fillIn(field.fields) : () => KEPT;
  const { preset } = field;
  const mayBeAbsent = field.optional === true || field.loose === true || field.blank === true;
  const replaced: FieldReading = { kind: "set", value: preset };
  const absent: FieldReading = preset !== undefined ? replaced : mayBeAbsent ? KEPT : { kind: "missing" };
  const unfit: FieldReading = field.loose === true ? replaced : { kind: "invalid" };
  const read: ReadField = (value) => (value === undefined ? absent : fits(value) ? keep(value) : unfit);
  return field.blank === true ? (value) => (isBlank(value) ? replaced : read(value)) : read;
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
