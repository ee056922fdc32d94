import type { Environment } from "claw-contract";

/** A text with all variables replaced, or the name of a variable that is not set. */
export type Expansion = { readonly text: string } | { readonly missing: string };

/** A variable whose closing bracket follows the text. */
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^]*))?$/;

/**
 * Replaces a leading `~` with the home folder, and `${NAME}` or `${NAME:-otherwise}` with the value. Expands once:
 * variables inside a value stay as they are.
 */
export function expandVariables(text: string, env: Environment): Expansion {
  const closed = text.split("}");
  const rest = closed.pop() ?? "";
  const parts = closed.map((part) => ({ part, variable: VARIABLE.exec(part) }));
  for (const { variable } of parts) {
    const [, name = "", otherwise] = variable ?? [];
    if (variable !== null && env[name] === undefined && otherwise === undefined) return { missing: name };
  }
  const expanded = parts.map(({ part, variable }) =>
    variable === null ? `${part}}` : part.slice(0, variable.index) + (env[variable[1] ?? ""] ?? variable[2] ?? ""),
  );
  const whole = expanded.join("") + rest;
  const home = env["HOME"];
  const isHome = home !== undefined && /^~(?=\/|$)/.test(text);
  return { text: isHome ? home + whole.slice(1) : whole };
}
