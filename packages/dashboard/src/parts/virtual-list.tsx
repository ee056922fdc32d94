import type { ComponentChildren } from "preact";
import { useLayoutEffect, useReducer, useRef } from "preact/hooks";
import {
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from "@tanstack/virtual-core";

interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  readonly keyOf: (item: Item, index: number) => string | number;
  readonly render: (item: Item, index: number) => ComponentChildren;
  /** Height of a row before it is measured, in pixels. */
  readonly estimate: number;
  readonly label: string;
  /** Keeps the end in view while it was in view. */
  readonly follows?: boolean;
  /** Index to bring into view; a change of it scrolls. */
  readonly focusAt?: number | null;
}

type Rows = Virtualizer<HTMLDivElement, HTMLDivElement>;

const OVERSCAN = 12;

/** The rows in view, worked out anew whenever the items or the scrolled place change. */
function useRows<Item>({ items, keyOf, estimate }: VirtualListProps<Item>) {
  const box = useRef<HTMLDivElement>(null);
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const made = useRef<Rows | null>(null);
  const options = {
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => estimate,
    getItemKey: (index: number) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item, index);
    },
    overscan: OVERSCAN,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    measureElement,
    onChange: () => draw(0),
  };
  const rows: Rows = (made.current ??= new Virtualizer<HTMLDivElement, HTMLDivElement>(options));
  rows.setOptions(options);
  useLayoutEffect(() => rows._didMount(), [rows]);
  useLayoutEffect(() => rows._willUpdate());
  return { rows, box };
}

/** Draws only the rows that are in view, of any number of rows and of any heights. */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { items, render, label, follows = false, focusAt = null } = props;
  const { rows, box } = useRows(props);
  useLayoutEffect(() => {
    if (follows && items.length > 0) rows.scrollToIndex(items.length - 1, { align: "end" });
  }, [follows, items.length, rows]);
  useLayoutEffect(() => {
    if (focusAt !== null) rows.scrollToIndex(focusAt, { align: "center" });
  }, [focusAt, rows]);
  return (
    <div class="virtual" ref={box} tabIndex={0} aria-label={label} role="region">
      <div class="virtual-all" role="list" style={{ height: `${rows.getTotalSize()}px` }}>
        {rows.getVirtualItems().map(({ key, index, start }) => {
          const item = items[index];
          if (item === undefined) return null;
          const place = { "data-index": index, "aria-setsize": items.length, "aria-posinset": index + 1 };
          const style = { transform: `translateY(${start}px)` };
          return (
            <div
              key={String(key)}
              class="virtual-row"
              role="listitem"
              ref={rows.measureElement}
              style={style}
              {...place}
            >
              {render(item, index)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
