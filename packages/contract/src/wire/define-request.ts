import * as z from "zod";
import type { ErrorCode } from "../errors/errors.ts";
import type { Role } from "../events/fields.ts";

/** The role of a peer, from the peer's hello. */
export type WireRole = Role;

/** Every role, for requests of any peer. */
export const ANY_PEER = ["orchestrator", "worker", "observer"] as const satisfies readonly WireRole[];

/**
 * `read` changes nothing: any token permits the request, and no rate limit counts it. `guarded read` changes nothing
 * either, but is permitted and counted like a `write`, for example because the reply may hold secrets.
 */
export type RequestEffect = "read" | "guarded read" | "write";

/**
 * What a field names, and so which machine's daemon answers the request in a cluster: that of a worker or another peer, of
 * the worker of an approval, of a task's assignee, of a terminal, of a worker or else a terminal (`target`), of the peer in
 * the topic of a command, the machine itself (`daemon`), or the machine that is to start a worker (`machine`).
 */
type RoutedName = "peer" | "approval" | "task" | "terminal" | "target" | "command" | "daemon" | "machine";

export interface RoutedBy {
  readonly names: RoutedName;
  readonly field: string;
}

export interface RequestDefinition<Request extends z.ZodObject, Reply extends z.ZodObject> {
  /** The request's `cmd`. */
  readonly name: string;
  /** What the server does for the request, in one sentence. */
  readonly summary: string;
  /** Roles that may send the request. `any client` needs no hello before. */
  readonly from: readonly WireRole[] | "any client";
  readonly effect: RequestEffect;
  /** Set when one machine's daemon answers the request. Without it, the daemon that gets the request answers. */
  readonly routedBy?: RoutedBy;
  /** Code of the error catalogue for a field that does not fit; none by default. */
  readonly code?: ErrorCode;
  readonly request: Request;
  /** Fields of the reply besides `id`, `protocol`, `ok` and `rid`. */
  readonly reply: Reply;
}

/** Declares a request of the wire. Handlers, client, documentation and checks derive from the declaration. */
export const defineRequest = <
  Request extends z.ZodObject,
  Reply extends z.ZodObject,
  const Definition extends RequestDefinition<Request, Reply>,
>(
  definition: Definition & { request: Request; reply: Reply },
): Definition => definition;

/**
 * An optional field. A value of another shape counts as absent, or as `instead`, because published clients send such
 * values.
 */
export const loose = <Schema extends z.ZodType>(schema: Schema, instead?: z.output<Schema>) =>
  schema.optional().catch(instead as never);

/** Like `loose`, but an absent or unfit field becomes `preset`. */
export const looseOr = <Schema extends z.ZodType>(schema: Schema, preset: z.output<Schema>) =>
  schema.default(preset as never).catch(preset as never);

/**
 * An optional field with a value for the absent field. Null and the empty text count as absent, because earlier
 * versions send them; any other value of another shape is refused.
 */
export const orElse = <Schema extends z.ZodType, const Preset>(schema: Schema, preset: Preset) =>
  z
    .union([schema, z.literal(["", null])])
    .optional()
    .transform((value) => (value === undefined || value === "" || value === null ? preset : value)) as z.ZodPipe<
    z.ZodOptional<z.ZodUnion<[Schema, z.ZodLiteral<"" | null>]>>,
    z.ZodTransform<Preset | z.output<Schema>>
  >;

/** Like `orElse`, without a preset. */
export const orAbsent = <Schema extends z.ZodType>(schema: Schema) =>
  orElse(schema, undefined) as unknown as z.ZodOptional<z.ZodType<z.output<Schema>, z.input<Schema> | "" | null>>;

/**
 * A field that the handler judges itself, because the answer depends on stored state or another check comes first. The
 * documentation shows `schema`; the reader accepts any value.
 */
export const judged = <Schema extends z.ZodType>(schema: Schema) =>
  z.unknown().optional().meta({ judged: schema }) as unknown as z.ZodOptional<z.ZodType<unknown, z.input<Schema>>>;

/** How the wire refuses a field: a text alone, or with a sentence for people. */
export type FieldRefusal = string | { readonly error: string; readonly message: string };

/**
 * Says how the wire refuses a field, and how it refuses an absent field if that differs. Without this, the texts are
 * `<request>:missing-<field>` and `<request>:invalid-<field>`.
 */
export const refusedAs = <Schema extends z.ZodType>(
  schema: Schema,
  refusal: FieldRefusal,
  missing: FieldRefusal = refusal,
): Schema => schema.meta({ ...schema.meta(), refusal, missing });

/** A text that is not empty. */
export const Word = z.string().min(1);

/** An id. Some published clients write it as a number. */
export const WireId = z.union([Word, z.int()]);
