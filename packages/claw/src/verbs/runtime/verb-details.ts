import type { VerbSpec } from "claw-contract";

/** The large members of a verb's specification. A start needs them of one verb alone. */
type VerbDetails = Pick<VerbSpec, "fields" | "errors" | "examples">;

/**
 * Specifications whose details are parsed when one of them is first read. Serves the rows of `cold-start`: parsing all
 * of them takes longer than the rest of reading a line.
 */
export function withDetails(
  verbs: readonly Omit<VerbSpec, keyof VerbDetails>[],
  textOf: Readonly<Record<string, () => string>>,
): readonly VerbSpec[] {
  return verbs.map((verb) => {
    let details: VerbDetails | undefined;
    const read = (): VerbDetails => (details ??= JSON.parse(textOf[verb.name]?.() ?? "") as VerbDetails);
    return {
      ...verb,
      get fields() {
        return read().fields;
      },
      get errors() {
        return read().errors;
      },
      get examples() {
        return read().examples;
      },
    };
  });
}
