import * as z from "zod";
import type { ErrorCode } from "../errors.ts";

/** A role that a peer names in its hello. */
export const ROLES = ["orchestrator", "worker", "observer"] as const;

export type WireRole = (typeof ROLES)[number];

export interface RequestDefinition<Request extends z.ZodObject, Reply extends z.ZodObject> {
  /** The request's `cmd`. */
  readonly name: string;
  /** One line: what the request does. */
  readonly summary: string;
  /** Roles that may send the request. `any client` needs no hello before. */
  readonly from: readonly WireRole[] | "any client";
  /** `read` changes nothing: any token permits it, and no rate limit counts it. */
  readonly effect: "read" | "write";
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

/** An optional field. A value of another shape counts as absent, because published clients send such values. */
export const loose = <Schema extends z.ZodType>(schema: Schema) =>
  schema.optional().catch(undefined as never) as z.ZodCatch<z.ZodOptional<Schema>>;

/** The same with a value for the absent field. */
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

/**
 * A field that the handler judges itself, because the answer depends on stored state or another check comes first. The
 * documentation shows `schema`; the reader accepts any value.
 */
export const judged = <Schema extends z.ZodType>(schema: Schema) => z.unknown().meta({ judged: schema });

/** Gives a field the text with which the wire refuses it. */
export const refusedAs = <Schema extends z.ZodType>(schema: Schema, refusal: string): Schema =>
  schema.meta({ ...schema.meta(), refusal });

/** A text that is not empty. */
export const Word = z.string().min(1);

/** An id. Some published clients write it as a number. */
export const WireId = z.union([Word, z.int()]);
