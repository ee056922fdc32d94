import { checkOf, isBlankField } from "./check-shape.ts";
import type { FieldRefusal } from "./define-request.ts";
import type { FieldShape } from "./shape.ts";
import type { JsonObject } from "../json.ts";

export type FieldsReading =
  | { readonly kind: "read"; readonly fields: JsonObject }
  | {
      readonly kind: "refused";
      readonly field: string;
      /** A value that is no text, and the empty text, count as `missing` where a text is asked for. */
      readonly problem: "missing" | "invalid";
      /** How the contract refuses the field, where it says so. */
      readonly refusal: FieldRefusal | undefined;
    };

/** Reads the fields of a request, in the order of the contract. The first field that does not fit decides. */
export type ReadFields = (given: JsonObject) => FieldsReading;

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
      const value = (given as JsonObject)[name];
      const reading = read(value);
      return [name, reading.kind === "set" ? reading.value : value] as const;
    });
    return { kind: "set", value: Object.fromEntries(entries.filter(([, value]) => value !== undefined)) };
  };
}

/** The reading of a value that has another shape. */
function unfitReading(field: FieldShape): ReadField {
  const replaced: FieldReading = { kind: "set", value: field.instead ?? field.preset };
  if (field.loose === true) return () => replaced;
  const isWord = field.is === "text" && (field.min ?? 0) > 0;
  return (value) => ({ kind: isWord && (typeof value !== "string" || value === "") ? "missing" : "invalid" });
}

function readerOf(field: FieldShape): ReadField {
  const fits = checkOf(field);
  const keep: ReadField =
    field.is === "object" && Object.values(field.fields).some(isChanging) ? fillIn(field.fields) : () => KEPT;
  const { preset } = field;
  const mayBeAbsent = field.optional === true || field.loose === true || field.blank === true;
  const replaced: FieldReading = { kind: "set", value: preset };
  const absent: FieldReading = preset !== undefined ? replaced : mayBeAbsent ? KEPT : { kind: "missing" };
  const unfit = unfitReading(field);
  const read: ReadField = (value) => (value === undefined ? absent : fits(value) ? keep(value) : unfit(value));
  return field.blank === true ? (value) => (isBlankField(value) ? replaced : read(value)) : read;
}

/** Makes the reader of a request. Fields that the contract does not name pass through. */
export function createReadFields(shapes: Readonly<Record<string, FieldShape>>): ReadFields {
  const readers = Object.entries(shapes)
    .filter(([, field]) => mayMatter(field))
    .map(([name, field]) => ({ name, field, read: readerOf(field) }) as const);
  return (given) => {
    let changed: Record<string, unknown> | undefined;
    for (const { name, field, read } of readers) {
      const reading = read(given[name]);
      if (reading.kind === "kept") continue;
      if (reading.kind !== "set") return refusedReading(name, field, reading.kind);
      changed ??= { ...given };
      changed[name] = reading.value;
    }
    return { kind: "read", fields: changed ?? given };
  };
}

function refusedReading(
  name: string,
  { refusal, missing = refusal }: FieldShape,
  problem: "missing" | "invalid",
): FieldsReading {
  return { kind: "refused", field: name, problem, refusal: problem === "missing" ? missing : refusal };
}

/** Whether reading a field can refuse or change a value: not when any value will do. */
const mayMatter = ({ is, preset, optional }: FieldShape): boolean =>
  is !== "any" || preset !== undefined || optional !== true;

/** Whether reading a request can refuse or change a field. */
export const needsReading = (shapes: Readonly<Record<string, FieldShape>>): boolean =>
  Object.values(shapes).some(mayMatter);
