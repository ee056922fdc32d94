import * as z from "zod";
import type { ErrorCode } from "../errors/errors.ts";
import { LIMITS } from "../limits/limits.ts";
import type { VerbGroup } from "./verb-groups.ts";

/** Effect of a verb on the world: none, a change, or a removal. */
export type Effect = "read" | "write" | "delete";

export interface Example {
  readonly description: string;
  readonly command: string;
}

export interface VerbDefinition<I extends z.ZodObject, O extends z.ZodObject> {
  /** One word, or two: the family and the action, as in `tasks assign`. */
  readonly name: string;
  /** Where help lists the verb. */
  readonly group: VerbGroup;
  /** Place in the group; verbs without a rank follow by name. */
  readonly rank?: number;
  readonly summary: string;
  readonly input: I;
  readonly output: O;
  /** Error codes of this verb besides the common codes. */
  readonly errors: readonly ErrorCode[];
  readonly effect: Effect;
  readonly examples: readonly Example[];
  /** For a two-word verb: the first word alone also calls the verb. Such a verb takes no positionals. */
  readonly alone?: true;
  /** The array of the output that the verb serves in pages. */
  readonly list?: string;
  /** Schema of the items that the verb yields while the verb works. */
  readonly stream?: z.ZodType;
  /** The verb runs until the caller stops it, without a default time limit. */
  readonly unlimited?: true;
  /** The verb works in any folder, even in a folder that does not exist. */
  readonly anywhere?: true;
  /** The verb limits the size of the answer itself; the answer may be far larger than other answers. */
  readonly bulky?: true;
  /** The verb may play another program: signals, streams and the exit then belong to the played program. */
  readonly plays?: true;
  /**
   * The verb needs what only Linux and macOS have, such as unix sockets, process groups or terminals. A verb that asks
   * the daemon needs no such mark.
   */
  readonly unixOnly?: true;
  /** The verb reports the part done before the time limit, even when the time is over before the verb begins. */
  readonly reportsTimeout?: true;
  /** Secret members of the output, made for the caller: the answer shows the secrets, and no file stores them. */
  readonly shownOnce?: readonly string[];
  /** Answers carry an etag, and the verb accepts `--if-none-match`. Lists always do. */
  readonly cacheable?: true;
}

export type Verb = VerbDefinition<z.ZodObject, z.ZodObject>;

const pageFields = z.object({
  limit: z.int().min(1).max(LIMITS.listMax).default(LIMITS.listDefault).describe("How many items to return."),
  cursor: z.string().min(1).optional().describe("Continue after this cursor of the previous page."),
});

const cacheFields = z.object({
  ifNoneMatch: z.string().min(1).optional().describe("Answer not_modified if the etag is still this one."),
});

const mutationFields = z.object({
  dryRun: z.boolean().default(false).describe("Say what would happen and change nothing."),
  idempotencyKey: z
    .string()
    .min(1)
    .max(LIMITS.idempotencyKeyLength)
    .optional()
    .describe(
      "Do it once: a repeated call with this key answers with the first result. A failed call is not remembered.",
    ),
});

type PageShape<D> = D extends { list: string } ? typeof pageFields.shape & typeof cacheFields.shape : unknown;
type CacheShape<D> = D extends { cacheable: true } ? typeof cacheFields.shape : unknown;
type MutationShape<D> = D extends { effect: "read" } ? unknown : typeof mutationFields.shape;
type FullShape<I extends z.ZodObject, D> = I["shape"] & PageShape<D> & CacheShape<D> & MutationShape<D>;

/** The shape of the fields that all verbs of one kind take: paging, caching, dry runs. */
function sharedFields(definition: Pick<Verb, "effect" | "list" | "cacheable">): z.ZodRawShape {
  return {
    ...(definition.list === undefined ? {} : pageFields.shape),
    ...(definition.list === undefined && !definition.cacheable ? {} : cacheFields.shape),
    ...(definition.effect === "read" ? {} : mutationFields.shape),
  };
}

/** Declares a verb. Flags, help, manifest, schemas and documentation derive from the declaration. */
export function defineVerb<I extends z.ZodObject, O extends z.ZodObject, const D extends VerbDefinition<I, O>>(
  definition: D & { input: I; output: O },
) {
  const input = z.object({ ...definition.input.shape, ...sharedFields(definition) }) as unknown as z.ZodObject<
    FullShape<I, D>
  >;
  return { ...definition, input };
}
