import { ClawError } from "claw-contract";

interface PageOptions<Item> {
  readonly size: number;
  readonly idOf: (item: Item) => string;
}

export interface Slice<Item> {
  readonly items: readonly Item[];
  /** Id of the last item, when more items follow. */
  readonly next: string | undefined;
}

/** The items behind the one that the cursor names. Throws INVALID_CURSOR when no item has that id. */
export function pageAfter<Item>(
  all: readonly Item[],
  cursor: string | undefined,
  { size, idOf }: PageOptions<Item>,
): Slice<Item> {
  const at = cursor === undefined ? -1 : all.findIndex((item) => idOf(item) === cursor);
  if (cursor !== undefined && at === -1) {
    throw new ClawError("INVALID_CURSOR", "the cursor names nothing in this list", {
      operation: "read_page",
      target: cursor.slice(0, 100),
    });
  }
  const items = all.slice(at + 1, at + 1 + size);
  const last = items.at(-1);
  return { items, next: last === undefined || at + 1 + size >= all.length ? undefined : idOf(last) };
}
