import type { Check } from "../check-shape.ts";
import { checkOf } from "../check-shape.ts";
import type { ReadFields, FieldsReading } from "../read-fields.ts";
import { createReadFields } from "../read-fields.ts";
import type { FieldShape } from "../shape.ts";
import { HOST_PUSH_SHAPE, HOST_SHAPES } from "./host-shapes.generated.ts";
import type { HostOperation, HostPush, HostReply, ReadHostRequest } from "./host-types.ts";
import type { JsonObject } from "../../json.ts";

/** The shapes of an operation's fields. */
export interface HostShapes {
  readonly request: Readonly<Record<string, FieldShape>>;
  readonly reply: Readonly<Record<string, FieldShape>>;
}

export type HostReading<Name extends HostOperation> =
  | { readonly kind: "read"; readonly fields: ReadHostRequest<Name> }
  | Extract<FieldsReading, { kind: "refused" }>;

/** Keeps what `make` makes for an operation, because making a check costs more than using it. */
function kept<Value>(make: (name: HostOperation) => Value): (name: HostOperation) => Value {
  const values = new Map<HostOperation, Value>();
  return (name) => {
    const known = values.get(name);
    if (known !== undefined) return known;
    const made = make(name);
    values.set(name, made);
    return made;
  };
}

const readerOf = kept((name): ReadFields => createReadFields(HOST_SHAPES[name].request));
const replyCheckOf = kept((name): Check => checkOf({ is: "object", fields: HOST_SHAPES[name].reply }));
const isPush = checkOf(HOST_PUSH_SHAPE);

export const isHostOperation = (cmd: string): cmd is HostOperation => Object.hasOwn(HOST_SHAPES, cmd);

/** Reads the fields of a request to the terminal host. */
export const readHostRequest = <Name extends HostOperation>(name: Name, given: JsonObject): HostReading<Name> =>
  // The reader is derived from the schema that the type is derived from.
  readerOf(name)(given) as HostReading<Name>;

/** Whether a reply of the terminal host has the fields that the contract promises. */
export const isHostReply = <Name extends HostOperation>(
  name: Name,
  reply: JsonObject,
): reply is JsonObject & HostReply<Name> => replyCheckOf(name)(reply);

export const isHostPush = (frame: JsonObject): frame is JsonObject & HostPush => isPush(frame);
