import type { FieldRefusal } from "./define-request.ts";

/**
 * What a JSON value has to look like, as plain data. `npm run generate` derives shapes from the schemas, so that a
 * program can check values without the schema library.
 */
export type Shape =
  | { readonly is: "any" | "boolean" | "null" }
  /** A time in UTC, as in `2026-01-31T12:00:00.000Z`. */
  | { readonly is: "time" }
  /** A time in UTC or with an offset, as in `2026-01-31T12:00:00+01:00`. */
  | { readonly is: "moment" }
  | { readonly is: "uuid" }
  | { readonly is: "text"; readonly min?: number; readonly max?: number; readonly pattern?: string }
  | {
      readonly is: "number";
      readonly whole?: true;
      readonly min?: number;
      readonly max?: number;
      readonly above?: number;
    }
  | { readonly is: "word"; readonly of: readonly (string | number | boolean | null)[] }
  | { readonly is: "list"; readonly of: Shape; readonly min?: number; readonly max?: number }
  /** An object with any names, or names of one shape, whose values all have one shape. */
  | { readonly is: "record"; readonly of: Shape; readonly names?: Shape }
  /** An object with named fields. Further fields are allowed unless it is closed. */
  | { readonly is: "object"; readonly fields: Readonly<Record<string, FieldShape>>; readonly closed?: true }
  | { readonly is: "either"; readonly of: readonly Shape[] };

export type FieldShape = Shape & {
  /** The field may be absent. */
  readonly optional?: true;
  /** A value of another shape counts as absent, or as `instead`, because published clients send such values. */
  readonly loose?: true;
  /** Null and the empty text count as absent. */
  readonly blank?: true;
  /** Value of an absent field. */
  readonly preset?: unknown;
  /** Value in place of a value of another shape, in a loose field. */
  readonly instead?: unknown;
  /** How the wire refuses a value of another shape. */
  readonly refusal?: FieldRefusal;
  /** How the wire refuses an absent field, where that differs. */
  readonly missing?: FieldRefusal;
};
