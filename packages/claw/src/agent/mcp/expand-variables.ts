/** A text with its variables in place, or the name of one that is not set. */
export type Expansion = { readonly text: string } | { readonly missing: string };

type Environment = Readonly<Record<string, string | undefined>>;

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** Puts the home folder for a leading `~`, and values for `${NAME}` and `${NAME:-otherwise}`. Once, so that no value is expanded again. */
export function expandVariables(text: string, env: Environment): Expansion {
  const missing = [...text.matchAll(VARIABLE)].find(
    ([, name = "", otherwise]) => env[name] === undefined && otherwise === undefined,
  );
  if (missing !== undefined) return { missing: missing[1] ?? "" };
  const expanded = text.replaceAll(VARIABLE, (_all, name: string, otherwise?: string) => env[name] ?? otherwise ?? "");
  const home = env["HOME"];
  const isHome = home !== undefined && /^~(?=\/|$)/.test(text);
  return { text: isHome ? home + expanded.slice(1) : expanded };
}
