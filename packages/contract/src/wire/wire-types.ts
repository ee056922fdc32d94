import type * as z from "zod";
import type { REQUESTS } from "./requests/index.generated.ts";

type Requests = typeof REQUESTS;

/** The `cmd` of a request. */
export type RequestName = keyof Requests;

/** Fields that a client sends with a request. */
export type RequestFields<Name extends RequestName> = Immutable<z.input<Requests[Name]["request"]>>;

/** Fields of a request as the handler gets the fields. */
export type ReadRequest<Name extends RequestName> = Immutable<z.output<Requests[Name]["request"]>>;

/** A type whose fields and lists are all readonly. */
export type Immutable<Value> = Value extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Immutable<Value[Key]> }
    : Value;

/** Fields of a reply, besides `id`, `protocol`, `ok` and `rid`. */
export type ReplyFields<Name extends RequestName> = Immutable<z.output<Requests[Name]["reply"]>>;

/** A reply as the asking client gets the reply. The client may change the fields. */
export type ReceivedReply<Name extends RequestName> = z.output<Requests[Name]["reply"]>;

/** The arguments behind the name of a request: its fields, which may be left out when all are optional. */
export type RequestRest<Name extends RequestName> =
  Record<string, never> extends RequestFields<Name> ? [fields?: RequestFields<Name>] : [fields: RequestFields<Name>];

/** Requests that a client may send before the hello. */
export type OpenRequestName = {
  [Name in RequestName]: Requests[Name]["from"] extends "any client" ? Name : never;
}[RequestName];
