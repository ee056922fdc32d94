import type { Check } from "./check-shape.ts";
import { checkOfField } from "./check-shape.ts";
import { lengthen } from "./short-shape.ts";
import { REPLY_SHAPES, SHARED_SHAPES } from "./short-shapes.generated.ts";
import type { ReceivedReply, RequestName } from "./wire-types.ts";

type FieldCheck = readonly [name: string, check: Check];

const replyChecks = new Map<RequestName, readonly FieldCheck[]>();

/** The checks of a reply's fields. A program asks few of all requests, so a reply's shape is read when it first comes. */
function checksOf(name: RequestName): readonly FieldCheck[] {
  const known = replyChecks.get(name);
  if (known !== undefined) return known;
  const shape = lengthen(REPLY_SHAPES[name] ?? "{}", SHARED_SHAPES);
  const fields = shape.is === "object" ? shape.fields : {};
  const checks = Object.entries(fields).map(([field, each]): FieldCheck => [field, checkOfField(each)]);
  replyChecks.set(name, checks);
  return checks;
}

/** The first field of a reply that is not what the contract promises; undefined when all are. */
export const misfitIn = (name: RequestName, reply: object): string | undefined =>
  checksOf(name).find(([field, check]) => !check((reply as Readonly<Record<string, unknown>>)[field]))?.[0];

/** Whether a reply has the fields that the contract promises. */
export const isReplyTo = <Name extends RequestName>(name: Name, reply: object): reply is ReceivedReply<Name> =>
  misfitIn(name, reply) === undefined;
