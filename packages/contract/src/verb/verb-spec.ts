import type { ErrorCode } from "../errors.ts";
import type { Effect, Example } from "./define-verb.ts";
import type { VerbGroup } from "./verb-groups.ts";

export type FieldType = "string" | "integer" | "number" | "boolean" | "enum" | "array";

/** One input of a verb as the command line sees it. Plain data, so that the entry needs no schema library. */
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
  /** Takes everything that is left of the line as it stands, flags too. */
  readonly rest?: boolean;
  readonly default?: string | number | boolean;
  /** Of a list, this and what follows holds for each of its items. */
  readonly values?: readonly string[];
  readonly ignoreCase?: boolean;
  /** Of a list: a value given once is one item, commas included. */
  readonly whole?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Regular expression of the texts it takes. */
  readonly pattern?: string;
  /** Code for a value outside the domain, where it has one of its own. */
  readonly error?: ErrorCode;
}

/** A verb as plain data: what the entry, help, manifest and completion need. */
export interface VerbSpec {
  readonly name: string;
  /** Its first word alone means it too. */
  readonly alone?: true;
  readonly group: VerbGroup;
  readonly rank?: number;
  readonly summary: string;
  readonly effect: Effect;
  readonly fields: readonly FieldSpec[];
  readonly errors: readonly ErrorCode[];
  readonly examples: readonly Example[];
  readonly list?: string;
  /** Members of the answer that are shown although they are secrets, and stored nowhere. */
  readonly shownOnce?: readonly string[];
  readonly cacheable: boolean;
  /** Says things while it works, and understands `--output-format stream-json`. */
  readonly streams: boolean;
  /** Has no time limit unless it is given one. */
  readonly unlimited: boolean;
  /** Needs no usable working folder. */
  readonly anywhere: boolean;
  /** May answer far more than others. */
  readonly bulky: boolean;
  /** May play another program: signals, streams and the exit are then that program's. */
  readonly plays: boolean;
  /** Says itself what its time was enough for. */
  readonly reportsTimeout: boolean;
}
