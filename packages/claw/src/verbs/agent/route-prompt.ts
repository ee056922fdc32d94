import type { VerbOutput } from "claw-contract";

type Match = VerbOutput<"route">["matches"][number];

/** A slash command or a tool that a prompt may be about. */
export interface Destination {
  readonly kind: Match["kind"];
  readonly name: string;
  readonly aliases: readonly string[];
  readonly responsibility: string;
  readonly sourceHint: string;
}

/** The weight of a word of the prompt, by the text that contains the word. */
const WEIGHTS = { name: 1, alias: 0.8, responsibility: 0.5 } as const;

/** Common words that do not help to find a destination. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a about all also am an and any are as at be been but by can could did do does for from had has have he her here " +
    "him his how i if in into is it its just let me might must my no not now of on one or our out please shall she " +
    "should so some such than that the their them then there these they this those to too up us very was we were what " +
    "when where which who why will with would you your"
  ).split(" "),
);

const SHORTEST_STEM = 3;

/** Joins the forms of a word as far as endings tell: `tests`, `testing` and `tested` are `test`. */
function stem(word: string): string {
  const cut = word.replace(/(?:ing|ed|es|s)$/, "");
  if (cut === word || cut.length < SHORTEST_STEM || word.endsWith("ss")) return word.replace(/(?<=..)e$/, "");
  // `running` is `run`, `files` is what `file` is.
  return cut.replace(/([^aeiouls])\1$/, "$1").replace(/(?<=..)e$/, "");
}

/** The words of a text, without order or repetition: split at anything but letters and digits, and at inner capitals. */
function promptWords(text: string): Set<string> {
  const spaced = text.normalize("NFKC").replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, " ");
  const words = spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !STOP_WORDS.has(word)).map(stem));
}

/** Names with a slash before them, as separate words. */
const orderedIn = (prompt: string): Set<string> =>
  new Set(
    [...prompt.matchAll(/(?<!\S)\/([\p{L}\p{N}_-]+)(?![\p{L}\p{N}_/-])/gu)].map(([, name = ""]) => name.toLowerCase()),
  );

/** Removes `Tool` from the end of an alias: `BashTool` and `Bash` name the same tool. */
const aliasText = ({ aliases }: Destination): string =>
  aliases.map((alias) => alias.replace(/(?<=.)tool$/i, "")).join(" ");

function scoreOf(wanted: ReadonlySet<string>, destination: Destination): number {
  const [name, alias, responsibility] = [destination.name, aliasText(destination), destination.responsibility].map(
    promptWords,
  );
  let matched = 0;
  for (const word of wanted) {
    if (name?.has(word)) matched += WEIGHTS.name;
    else if (alias?.has(word)) matched += WEIGHTS.alias;
    else if (responsibility?.has(word)) matched += WEIGHTS.responsibility;
  }
  return wanted.size === 0 ? 0 : matched / wanted.size;
}

const rounded = (score: number): number => Math.round(score * 1e4) / 1e4;

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/**
 * Finds the commands and tools that a prompt is about. The score is the share of the prompt's words that occur in a
 * name, an alias or a responsibility. The best score comes first, then commands before tools, then the order of names.
 * A command that the prompt names with its slash scores 1.
 */
export function routePrompt(prompt: string, destinations: readonly Destination[], limit: number): Match[] {
  const [wanted, ordered] = [promptWords(prompt), orderedIn(prompt)];
  const matches = new Map<string, Match>();
  for (const destination of destinations) {
    const { kind, name, sourceHint } = destination;
    const isOrdered = kind === "command" && ordered.has(name.toLowerCase());
    const score = isOrdered ? 1 : rounded(scoreOf(wanted, destination));
    const id = `${kind} ${name}`;
    if (score > (matches.get(id)?.score ?? 0)) matches.set(id, { kind, name, score, source_hint: sourceHint });
  }
  return [...matches.values()]
    .toSorted((a, b) => b.score - a.score || compare(a.kind, b.kind) || compare(a.name, b.name))
    .slice(0, limit);
}
