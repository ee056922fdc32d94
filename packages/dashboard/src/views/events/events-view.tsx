import { useEffect, useRef, useState } from "preact/hooks";
import { usePage } from "../../app/page.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Notice, Shell } from "../../parts/notice.tsx";
import { useKeys } from "../../parts/use-keys.ts";
import { countText } from "../../text/amounts.ts";
import { cursorBefore } from "../../store/event-feed.ts";
import { EventFilters } from "./event-filters.tsx";
import { EventList } from "./event-list.tsx";
import type { EventFilter } from "./filter-events.ts";
import { createFiltered, eventsCall, filterOf, rowsUpTo } from "./filter-events.ts";

/** Reads events from before the first one that is here. */
function OlderButton() {
  const { store, said } = usePage();
  const [isBusy, setBusy] = useState(false);
  const load = async (): Promise<void> => {
    setBusy(true);
    const added = await store.loadOlder();
    said.value = added === 0 ? "There are no older events." : `${added} older events`;
    setBusy(false);
  };
  return (
    <button type="button" class="button button-small" disabled={isBusy} onClick={() => void load()}>
      {isBusy ? "reading …" : "Older"}
    </button>
  );
}

/** Reads on until the event of a shared link is here. Says whether the reading is over. */
function useShown(cursor: string | null): boolean {
  const { store } = usePage();
  const [isOver, setOver] = useState(false);
  const hasEvents = store.eventsVersion.value > 0;
  useEffect(() => {
    if (cursor === null || !hasEvents) return;
    void store.loadAround(cursor).finally(() => setOver(true));
  }, [cursor, hasEvents, store]);
  return isOver;
}

/** Told in place of the event of a link that the page does not find. */
function MissingEvent({ cursor }: { readonly cursor: string }) {
  if (!/^\d+:\d+$/.test(cursor)) {
    return (
      <p class="why toolbar" role="alert">
        The link names no event.
      </p>
    );
  }
  return (
    <p class="why toolbar" role="alert">
      The event of the link is too old for this page, or another log's. Look for it with{" "}
      <Shell>{`claw events --since ${cursorBefore(cursor, 1)} --limit 1`}</Shell>
    </p>
  );
}

/** A filter is read out this long after its last change, and not with each event that comes. */
const TOLD_AFTER_MS = 700;

/** Tells in the live region how many events fit once a person has changed the filter. */
function useToldCount(filter: EventFilter, count: string): void {
  const { said } = usePage();
  const newest = useRef(count);
  newest.current = count;
  const words = JSON.stringify(filter);
  const before = useRef(words);
  useEffect(() => {
    if (before.current === words) return;
    before.current = words;
    const heard = said.peek();
    const tell = (): void => {
      // What a person has done meanwhile is told in its place.
      if (said.peek() === heard) said.value = `${newest.current} events`;
    };
    const timer = setTimeout(tell, TOLD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [words, said]);
}

export function EventsView({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const { store } = usePage();
  const shown = query["event"] ?? null;
  const [follows, setFollows] = useState(shown === null);
  const [filtered] = useState(createFiltered);
  useKeys({ f: () => setFollows(!follows) });
  const isRead = useShown(shown);
  void store.eventsVersion.value;
  const filter = filterOf(query);
  const rows = rowsUpTo(filtered(store.events.rows, filter), store.cut.value);
  const count = `${countText(rows.length)} of ${countText(store.events.rows.length)}`;
  useToldCount(filter, count);
  const since = rows[0] === undefined ? "0000:0" : cursorBefore(rows[0].cursor, 1);
  return (
    <div class="view view-list">
      <h1 class="unseen">Events</h1>
      <div class="toolbar">
        <EventFilters filter={filter} />
        <span class="faint count-text" data-kept={store.events.rows.length}>
          {count}
        </span>
        <button type="button" class="button button-small" aria-pressed={follows} onClick={() => setFollows(!follows)}>
          {follows ? "following" : "follow"} <kbd>f</kbd>
        </button>
        <OlderButton />
        <CopyButton label="Copy call" text={() => eventsCall(filter, since)} />
      </div>
      {shown !== null && isRead && !store.events.rows.some(({ cursor }) => cursor === shown) && (
        <MissingEvent cursor={shown} />
      )}
      {rows.length === 0 ? (
        <Notice title="No event fits">
          <p>
            {store.events.rows.length === 0
              ? "The log is empty: start a worker."
              : "Clear a filter, or read older events."}
          </p>
        </Notice>
      ) : (
        <EventList key={shown ?? ""} rows={rows} follows={follows} shown={shown} />
      )}
    </div>
  );
}
