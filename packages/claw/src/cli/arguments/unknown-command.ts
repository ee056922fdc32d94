import { ClawError, SLASH_COMMAND_NAMES, LIMITS, nearest, shellQuote, WORD_HINTS } from "claw-contract";
import { VERB_SPECS } from "../../verbs/index.ts";
import { shortenValue } from "./problem.ts";

/**
 * Suggests verbs for an unknown word: verbs known to serve the same purpose, each with a description; otherwise verbs
 * with a similar spelling.
 */
function suggest(word: string): { suggestions: readonly string[]; hint?: string } {
  const known = Object.hasOwn(WORD_HINTS, word) ? (WORD_HINTS[word] ?? []) : [];
  if (known.length > 0) {
    const said = known.map(({ verb, does }) => `claw ${verb} ${does}`).join(", ");
    return { suggestions: known.map(({ verb }) => verb), hint: `${said}.` };
  }
  const verbs = VERB_SPECS.map((spec) => spec.name);
  const suggestions = nearest(word, verbs, { limit: LIMITS.suggestions });
  if (suggestions.length === 0) return { suggestions };
  return { suggestions, hint: `Did you mean: claw ${suggestions.join(", claw ")}?` };
}

/** The error for a first word that is not a verb. */
export function unknownCommand(word: string): ClawError {
  const { suggestions, hint } = suggest(word);
  return new ClawError("UNKNOWN_COMMAND", `'${shortenValue(word)}' is no command of claw`, {
    operation: "resolve_command",
    target: shortenValue(word),
    ...(hint === undefined ? {} : { hint }),
    details: { suggestions },
  });
}

/** The error for a slash command typed in a shell. The hint names the verb that runs slash commands. */
export function slashCommand(typedWords: readonly string[]): ClawError {
  const [first, ...others] = typedWords;
  const typed = (first ?? "").slice(1).toLowerCase();
  const target = shortenValue(first ?? "");
  if ((SLASH_COMMAND_NAMES as readonly string[]).includes(typed)) {
    const words = others.join(" ");
    const rest = words === "" ? "" : ` ${shortenValue(words) === words ? shellQuote(words) : "PROMPT"}`;
    return new ClawError("INTERACTIVE_ONLY", `'${target}' is a command of an interactive session`, {
      operation: "resolve_command",
      target,
      hint: `Run it from here with: claw exec-command ${typed}${rest}`,
    });
  }
  const suggestions = nearest(typed, SLASH_COMMAND_NAMES, { limit: LIMITS.suggestions }).map((name) => `/${name}`);
  return new ClawError("UNKNOWN_SLASH_COMMAND", `there is no command '${target}'`, {
    operation: "resolve_command",
    target,
    ...(suggestions.length === 0 ? {} : { hint: `Did you mean ${suggestions.join(" or ")}?` }),
    details: { suggestions },
  });
}
