interface KnownList {
  readonly items: readonly string[];
  text: string | undefined;
}

/** Lists whose items were written as JSON. An entry is forgotten with its list. */
const LISTS = new WeakMap<readonly unknown[], KnownList>();

/** Remembers the JSON of each item of a list, so that a long list is written once (bench mcp, "1000 events"). */
export function keepJson(list: readonly unknown[], items: readonly string[]): void {
  LISTS.set(list, { items, text: undefined });
}

const knownList = (value: unknown): KnownList | undefined => (Array.isArray(value) ? LISTS.get(value) : undefined);

/** The JSON of a list whose items' JSON was kept; undefined for any other value. */
export function keptJson(value: unknown): string | undefined {
  const known = knownList(value);
  return known && (known.text ??= `[${known.items.join(",")}]`);
}

/** Bytes of a list: a bracket or comma before each item, and a bracket at the end. */
const listBytes = ({ items }: KnownList): number =>
  items.reduce((sum, item) => sum + 1 + Buffer.byteLength(item), items.length === 0 ? 2 : 1);

const EMPTY_BYTES = 2;

/** Bytes of the JSON of data. */
export function jsonBytes(data: object): number {
  let bytes = 0;
  const rest = Object.entries(data).map(([name, value]) => {
    const known = knownList(value);
    if (known === undefined) return [name, value] as const;
    bytes += listBytes(known) - EMPTY_BYTES;
    return [name, []] as const;
  });
  return bytes + Buffer.byteLength(JSON.stringify(bytes === 0 ? data : Object.fromEntries(rest)));
}
