import type { VerbSpec } from "claw-contract";

/** The large members of a verb's specification. A start needs them of one verb alone. */
type VerbDetails = Pick<VerbSpec, "fields" | "errors" | "examples">;

type VerbHead = Omit<VerbSpec, keyof VerbDetails>;

/**
 * Adds details to the given specifications, which are parsed when one of them is first read. Serves the rows of `cold-start`:
 * parsing all of them takes longer than the rest of reading a line, and getters of each specification's own would take
 * as long again.
 */
export function withDetails(
  verbs: readonly VerbHead[],
  textOf: Readonly<Record<string, () => string>>,
): readonly VerbSpec[] {
  const known = new Map<string, VerbDetails>();
  const read = (name: string): VerbDetails => {
    const details = known.get(name) ?? (JSON.parse(textOf[name]?.() ?? "") as VerbDetails);
    known.set(name, details);
    return details;
  };
  const getter = <Key extends keyof VerbDetails>(key: Key) => ({
    enumerable: true,
    get(this: VerbHead): VerbDetails[Key] {
      return read(this.name)[key];
    },
  });
  const getters = { fields: getter("fields"), errors: getter("errors"), examples: getter("examples") };
  return verbs.map((verb) => Object.defineProperties(verb, getters) as VerbSpec);
}
