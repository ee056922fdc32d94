/**
 * A member of a result that was printed already. A transport may write its text as it stands; printed by other code, it
 * is the value.
 */
export class JsonText {
  readonly text: string;
  readonly #value: unknown;

  /** Without a value, the text is parsed when the value is asked for. */
  constructor(text: string, value?: unknown) {
    this.text = text;
    this.#value = value;
  }

  toJSON(): unknown {
    return this.#value ?? JSON.parse(this.text);
  }
}

/** Whether a member of the data was printed already. */
export const holdsJsonText = (data: object): boolean => Object.values(data).some((value) => value instanceof JsonText);

/** The JSON of data. Members that were printed already are not printed again. */
export function printMembers(data: object): string {
  const members = Object.entries(data).flatMap(([name, value]: [string, unknown]) => {
    const text = value instanceof JsonText ? value.text : (JSON.stringify(value) as string | undefined);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(",")}}`;
}
