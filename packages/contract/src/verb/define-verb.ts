import * as z from "zod";
import type { ErrorCode } from "../errors.ts";
import { LIMITS } from "../limits.ts";
import type { VerbGroup } from "./verb-groups.ts";

/** What a verb does to the world: nothing, changes something, or removes something. */
export type Effect = "read" | "write" | "delete";

export interface Example {
  readonly description: string;
  readonly command: string;
}

export interface VerbDefinition<I extends z.ZodObject, O extends z.ZodObject> {
  /** One word, or two: the family's and what it does, as in `tasks assign`. */
  readonly name: string;
  /** Where help lists the verb. */
  readonly group: VerbGroup;
  /** Its place in the group; verbs without one follow by name. */
  readonly rank?: number;
  readonly summary: string;
  readonly input: I;
  readonly output: O;
  /** Codes this verb can raise beyond those any call can. */
  readonly errors: readonly ErrorCode[];
  readonly effect: Effect;
  readonly examples: readonly Example[];
  /** Of a two-word verb: its first word alone means it too. It takes no positionals then. */
  readonly alone?: true;
  /** The array of the output that is served in pages. */
  readonly list?: string;
  /** What the verb says while it works, one item at a time. */
  readonly stream?: z.ZodType;
  /** Runs until it is told to stop, so it has no time limit of its own. */
  readonly unlimited?: true;
  /** Works in any folder, even one that is not there. */
  readonly anywhere?: true;
  /** Its answer is bounded by itself and may be far larger than others. */
  readonly bulky?: true;
  /** May play another program: signals, streams and the exit are then that program's. */
  readonly plays?: true;
  /** Says itself what its time was enough for, even when that is over before it begins. */
  readonly reportsTimeout?: true;
  /** Members of the output that are secrets, made for the caller: shown in the answer and stored nowhere. */
  readonly shownOnce?: readonly string[];
  /** Answers carry an etag, and `--if-none-match` is understood. Lists always do. */
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

type PageShape<D> = D extends { list: string } ? typeof pageFields.shape & typeof cacheFields.shape : object;
type CacheShape<D> = D extends { cacheable: true } ? typeof cacheFields.shape : object;
type MutationShape<D> = D extends { effect: "read" } ? object : typeof mutationFields.shape;
type FullShape<I extends z.ZodObject, D> = I["shape"] & PageShape<D> & CacheShape<D> & MutationShape<D>;

/** The raw shape of fields every verb of its kind takes: paging, caching, dry runs. */
function sharedFields(definition: Pick<Verb, "effect" | "list" | "cacheable">): z.ZodRawShape {
  return {
    ...(definition.list === undefined ? {} : pageFields.shape),
    ...(definition.list === undefined && !definition.cacheable ? {} : cacheFields.shape),
    ...(definition.effect === "read" ? {} : mutationFields.shape),
  };
}

/** Declares a verb. Flags, help, manifest, schemas and documentation derive from what stands here. */
export function defineVerb<I extends z.ZodObject, O extends z.ZodObject, const D extends VerbDefinition<I, O>>(
  definition: D & { input: I; output: O },
) {
  const input = z.object({ ...definition.input.shape, ...sharedFields(definition) }) as unknown as z.ZodObject<
    FullShape<I, D>
  >;
  return { ...definition, input };
}
