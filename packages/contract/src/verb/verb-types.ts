import type * as z from "zod";
import type { VERBS } from "../verbs/index.generated.ts";

export type VerbName = keyof typeof VERBS;

/** A verb's input after defaults were filled in. */
export type VerbInput<N extends VerbName> = z.output<(typeof VERBS)[N]["input"]>;

/** An item that a verb yields while it works; `never` for a verb without a stream. */
export type VerbItem<N extends VerbName> = (typeof VERBS)[N] extends { stream: infer S extends z.ZodType }
  ? z.input<S>
  : never;

export type VerbOutput<N extends VerbName> = z.input<(typeof VERBS)[N]["output"]>;
