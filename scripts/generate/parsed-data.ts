/** A text as source text. */
export const quoted = (text: string): string => `\`${text.replaceAll(/[\\`]|\$\{/g, "\\$&")}\``;

const parsed = (json: string): string => `JSON.parse(${quoted(json)})`;

/** Values as source text that is parsed as JSON, a line each: sooner there at every start than objects in code. */
export const parsedList = (values: readonly unknown[]): string =>
  parsed(`[\n${values.map((value) => JSON.stringify(value)).join(",\n")}\n]`);

/** The same for named values. */
export const parsedObject = (entries: readonly (readonly [string, unknown])[]): string =>
  parsed(`{\n${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",\n")}\n}`);
