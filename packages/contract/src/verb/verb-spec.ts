import type { ErrorCode } from "../errors/errors.ts";
import type { Effect, Example } from "./define-verb.ts";
import type { VerbGroup } from "./verb-groups.ts";

export type FieldType = "string" | "integer" | "number" | "boolean" | "enum" | "array";

/** One input of a verb as the command line sees it. Plain data, so the entry needs no schema library. */
export interface FieldSpec {
  /** Name in the parsed input. */
  readonly name: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly description: string;
  /** Spelling without dashes; positionals have none. */
  readonly flag?: string;
  readonly short?: string;
  readonly aliases?: readonly string[];
  readonly positional?: number;
  /** Takes the rest of the line unchanged, flags included. */
  readonly rest?: boolean;
  readonly default?: string | number | boolean;
  /** For a list, `values` and the following fields apply to each item. */
  readonly values?: readonly string[];
  readonly ignoreCase?: boolean;
  /** For a list: a value given once is one item, commas included. */
  readonly whole?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Regular expression for the accepted texts. */
  readonly pattern?: string;
  /** Error code for a value outside the domain, when the field has a special code. */
  readonly error?: ErrorCode;
}

/** How a flag is written on a command line, and whether a value follows. */
export type FlagSpelling = Pick<FieldSpec, "flag" | "short" | "aliases" | "type">;

/** A verb as plain data, for the entry, help, manifest and completion. */
export interface VerbSpec {
  readonly name: string;
  /** The first word alone also calls the verb. */
  readonly alone?: true;
  readonly group: VerbGroup;
  readonly rank?: number;
  readonly summary: string;
  readonly effect: Effect;
  readonly fields: readonly FieldSpec[];
  readonly errors: readonly ErrorCode[];
  readonly examples: readonly Example[];
  readonly list?: string;
  /** Secret members of the answer that are shown to the caller and stored nowhere. */
  readonly shownOnce?: readonly string[];
  readonly cacheable: boolean;
  /** The verb yields items while it works, and accepts `--output-format stream-json`. */
  readonly streams: boolean;
  /** The verb has no time limit by default. */
  readonly unlimited: boolean;
  /** The verb needs no usable working folder. */
  readonly anywhere: boolean;
  /** The answer may be far larger than other answers. */
  readonly bulky: boolean;
  /** The verb may play another program: signals, streams and the exit then belong to the played program. */
  readonly plays: boolean;
  /** The verb is refused on platforms other than Linux and macOS. */
  readonly unixOnly: boolean;
  /** The verb reports the part done before the time limit. */
  readonly reportsTimeout: boolean;
}
