import type { ErrorCode } from "../errors.ts";
import type { Check } from "./check-shape.ts";
import { checkOfField } from "./check-shape.ts";
import type { RequestEffect, WireRole } from "./define-request.ts";
import type { ReadFields } from "./read-fields.ts";
import { createReadFields, needsReading } from "./read-fields.ts";
import type { FieldShape } from "./shape.ts";
import { REPLY_SHAPES } from "./reply-shapes.generated.ts";
import { REQUEST_SPECS } from "./request-specs.generated.ts";
import type { ReceivedReply, RequestName } from "./wire-types.ts";

/** A request of the wire, without its schemas. */
export interface RequestSpec {
  readonly from: readonly WireRole[] | "any client";
  readonly effect: RequestEffect;
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

type FieldCheck = readonly [name: string, check: Check];

const replyChecks = new Map<RequestName, readonly FieldCheck[]>();

function checksOf(name: RequestName): readonly FieldCheck[] {
  const known = replyChecks.get(name);
  if (known !== undefined) return known;
  const checks = Object.entries(REPLY_SHAPES[name]).map(([field, shape]): FieldCheck => [field, checkOfField(shape)]);
  replyChecks.set(name, checks);
  return checks;
}

/** The first field of a reply that is not what the contract promises; undefined when all are. */
export const misfitIn = (name: RequestName, reply: object): string | undefined =>
  checksOf(name).find(([field, check]) => !check((reply as Readonly<Record<string, unknown>>)[field]))?.[0];

/** Whether a reply has the fields that the contract promises. */
export const isReplyTo = <Name extends RequestName>(name: Name, reply: object): reply is ReceivedReply<Name> =>
  misfitIn(name, reply) === undefined;
