/** A verb as it is found on a command line: by one word, or by two. */
interface NamedVerb {
  readonly name: string;
  /** Of a two-word verb: its first word alone means it too. */
  readonly alone?: true;
}

/** Families of two-word verbs: the first word, and its summary in the help. */
export const FAMILIES: Readonly<Record<string, string>> = {
  terminal: "Open, use and close terminals that the daemon keeps.",
  tasks: "Give tasks to workers and follow them.",
  rpc: "Call methods that peers offer.",
  wave: "Start, follow and end waves of workers.",
  pipeline: "Join terminals: the output of one is typed into another.",
  lifecycle: "Plan a mission and move it through its phases.",
  mcp: "Let the agents that you use drive claw.",
  bus: "Move the log of this folder into a cluster and back.",
  notify: "Tell a person who is away that a worker waits, failed or is done.",
  service: "Let the system start and keep the daemon of this folder.",
  tokens: "Make, list and revoke the tokens of clients on the network.",
};

export const isFamily = (word: string): boolean => Object.hasOwn(FAMILIES, word);

/** A verb's name as one word, for files, schemas and tools. */
export const verbId = (name: string): string => name.replaceAll(" ", "-");

/** The words an answer calls a verb by: `command` is the first, `action` the second. */
export function wordsOf(name: string): { readonly command: string; readonly action?: string } {
  const [command = "", action] = name.split(" ");
  return action === undefined ? { command } : { command, action };
}

/** The two-word verbs that begin with a word. */
export const actionsOf = <V extends NamedVerb>(family: string, verbs: readonly V[]): V[] =>
  verbs.filter(({ name }) => name.startsWith(`${family} `));

export interface VerbMatch<V> {
  readonly verb: V;
  /** How many of the words name the verb; the others are its arguments. */
  readonly length: 1 | 2;
}

/** The verb that words begin with. A family's first word alone is the verb it declares for that, if any. */
export function matchVerb<V extends NamedVerb>(
  words: readonly string[],
  verbs: readonly V[],
): VerbMatch<V> | undefined {
  const [first = "", second] = words;
  if (first.includes(" ")) return undefined;
  const two = verbs.find(({ name }) => name === `${first} ${second}`);
  if (two !== undefined) return { verb: two, length: 2 };
  const alone = second === undefined ? actionsOf(first, verbs).find((verb) => verb.alone) : undefined;
  const one = alone ?? verbs.find(({ name }) => name === first);
  return one === undefined ? undefined : { verb: one, length: 1 };
}
