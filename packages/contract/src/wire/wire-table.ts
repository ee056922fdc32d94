import type { ErrorCode } from "../errors/errors.ts";
import type { RequestEffect, RoutedBy, WireRole } from "./define-request.ts";
import type { ReadFields } from "./read-fields.ts";
import { createReadFields, needsReading } from "./read-fields.ts";
import type { FieldShape } from "./shape.ts";
import { REQUEST_SPECS } from "./request-specs.generated.ts";
import type { RequestName } from "./wire-types.ts";

/** A request of the wire, without its schemas. */
export interface RequestSpec {
  readonly from: readonly WireRole[] | "any client";
  readonly effect: RequestEffect;
  readonly routedBy?: RoutedBy;
  readonly code?: ErrorCode;
  readonly fields: Readonly<Record<string, FieldShape>>;
}

/** Names of all requests, sorted. */
export const REQUEST_NAMES = Object.keys(REQUEST_SPECS) as readonly RequestName[];

export const requestSpec = (name: RequestName): RequestSpec => REQUEST_SPECS[name];

/** Makes the reader of a request's fields. The caller keeps it. Undefined when any fields will do. */
export function requestReader(name: RequestName): ReadFields | undefined {
  const { fields } = requestSpec(name);
  return needsReading(fields) ? createReadFields(fields) : undefined;
}
