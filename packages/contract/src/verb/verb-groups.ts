/** The groups in which help lists verbs, in this order. */
export const VERB_GROUPS = [
  { id: "start", title: "Start here" },
  { id: "ask", title: "Ask an agent" },
  { id: "workers", title: "Run workers" },
  { id: "sessions", title: "Sessions" },
  { id: "bus", title: "The bus" },
  { id: "programs", title: "For programs" },
  { id: "compatibility", title: "Compatibility" },
] as const;

export type VerbGroup = (typeof VERB_GROUPS)[number]["id"];

interface Grouped {
  readonly name: string;
  readonly group: VerbGroup;
  readonly rank?: number;
}

/** Names are compared by their characters: a comparison by language takes ten milliseconds to get ready. */
const byRank = (a: Grouped, b: Grouped): number =>
  (a.rank ?? Infinity) === (b.rank ?? Infinity)
    ? Number(a.name > b.name) - Number(a.name < b.name)
    : (a.rank ?? Infinity) - (b.rank ?? Infinity);

/** The verbs of each group: those with a rank first, the others by name. A group without verbs is left out. */
export function groupVerbs<V extends Grouped>(verbs: readonly V[]): { title: string; verbs: V[] }[] {
  return VERB_GROUPS.map(({ id, title }) => ({
    title,
    verbs: verbs.filter(({ group }) => group === id).toSorted(byRank),
  })).filter((group) => group.verbs.length > 0);
}
