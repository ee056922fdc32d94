import type { VerbSpec } from "claw-contract";
import { matchVerb } from "claw-contract";
import type { FlagNames } from "./tokenise.ts";
import { tokenise } from "./tokenise.ts";

/** A command line cut in two: what is claw's, and what another program is to get as it stands. */
export interface SplitLine {
  readonly own: readonly string[];
  readonly rest: readonly string[];
}

/** How many words a flag of the verb takes up at that place; 0 when there is none. */
function ownFlagLength({ fields }: VerbSpec, text: string | undefined): number {
  const [, name, value] = /^--([^=]+)(=.*)?$/s.exec(text ?? "") ?? [];
  const field = fields.find(({ flag }) => flag !== undefined && flag === name);
  if (field === undefined) return 0;
  return value === undefined && field.type !== "boolean" ? 2 : 1;
}

/**
 * Cuts the line of a verb that passes arguments on. They begin behind its last positional and the verb's own flags
 * that follow at once; flags of every call belong to claw only if they stand before.
 */
export function splitRest(argv: readonly string[], names: FlagNames, verbs: readonly VerbSpec[]): SplitLine {
  const words = tokenise(argv, names).filter((token) => token.kind === "positional");
  const found = matchVerb(
    words.map(({ value }) => value),
    verbs,
  );
  const spec = found?.verb;
  const place = spec?.fields.find((field) => field.rest)?.positional;
  const last = place === undefined ? undefined : words[place + (found?.length ?? 1) - 1];
  if (spec === undefined || last === undefined) return { own: argv, rest: [] };
  let start = last.at + 1;
  for (let length = 1; length > 0; start += length) length = ownFlagLength(spec, argv[start]);
  return { own: argv.slice(0, start), rest: argv.slice(argv[start] === "--" ? start + 1 : start) };
}
