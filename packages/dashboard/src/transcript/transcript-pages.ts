import type { TranscriptItem } from "./fold-transcript.ts";

/** Most items of one transcript that the page keeps in memory. */
export const TRANSCRIPT_ITEMS = 5000;

export interface TranscriptPages {
  readonly items: readonly TranscriptItem[];
  readonly first: number;
  readonly next: number;
  readonly hasOlder: boolean;
}

type Part = TranscriptPages & { readonly hasNewer: boolean };

export const firstPage = ({ items, first, next, hasOlder }: Part): TranscriptPages => ({
  items,
  first,
  next,
  hasOlder,
});

/** The pages with newer items behind. The oldest are dropped beyond the limit, and can be read again. */
export function withNewer(pages: TranscriptPages, { items, next }: Part, limit = TRANSCRIPT_ITEMS): TranscriptPages {
  const last = pages.items.at(-1)?.position ?? -1;
  const all = [...pages.items, ...items.filter(({ position }) => position > last)];
  const kept = all.slice(-limit);
  const isCut = kept.length < all.length;
  return {
    items: kept,
    first: isCut ? (kept[0]?.position ?? pages.first) : pages.first,
    next: Math.max(pages.next, next),
    hasOlder: pages.hasOlder || isCut,
  };
}

/** The pages with older items in front, as far as there is room. */
export function withOlder(pages: TranscriptPages, { items, first, hasOlder }: Part): TranscriptPages {
  const begin = pages.items[0]?.position ?? Infinity;
  return { ...pages, items: [...items.filter(({ position }) => position < begin), ...pages.items], first, hasOlder };
}
