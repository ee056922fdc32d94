import { actionsOf, ClawError, LIMITS, nearest, wordsOf } from "claw-contract";
import { VERB_SPECS } from "../../verbs/index.ts";
import { shortenValue } from "./problem.ts";

/** A family's word with none of its actions behind it. */
export function unknownAction(family: string, action: string | undefined): ClawError {
  const actions = actionsOf(family, VERB_SPECS).map(({ name }) => wordsOf(name).action ?? name);
  const typed = action === undefined ? family : shortenValue(`${family} ${action}`);
  const close = action === undefined ? [] : nearest(action, actions, { limit: LIMITS.suggestions });
  const suggestions = (close.length === 0 ? actions : close).map((word) => `${family} ${word}`);
  const calls = `claw ${suggestions.join(", claw ")}`;
  const message = action === undefined ? `'${family}' needs a second word` : `'${typed}' is no command of claw`;
  return new ClawError("UNKNOWN_COMMAND", message, {
    operation: "resolve_command",
    target: typed,
    hint: close.length === 0 ? `Use one of: ${calls}.` : `Did you mean: ${calls}?`,
    details: { suggestions },
  });
}
