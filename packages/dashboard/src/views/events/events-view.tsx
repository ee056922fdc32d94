import { useEffect, useState } from "preact/hooks";
import { usePage } from "../../app/page.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Notice } from "../../parts/notice.tsx";
import { useKeys } from "../../parts/use-keys.ts";
import { countText } from "../../text/amounts.ts";
import { cursorBefore } from "../../store/event-feed.ts";
import { EventFilters } from "./event-filters.tsx";
import { EventList } from "./event-list.tsx";
import { createFiltered, eventsCall, filterOf } from "./filter-events.ts";

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

/** The event of a shared link may be older than what the page has read. */
function useShown(cursor: string | null): void {
  const { store } = usePage();
  const isLive = store.moment.value !== null;
  useEffect(() => {
    if (cursor !== null && isLive) void store.loadAround(cursor);
  }, [cursor, isLive, store]);
}

export function EventsView({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const { store } = usePage();
  const shown = query["event"] ?? null;
  const [follows, setFollows] = useState(shown === null);
  const [filtered] = useState(createFiltered);
  useKeys({ f: () => setFollows(!follows) });
  useShown(shown);
  void store.eventsVersion.value;
  const filter = filterOf(query);
  const rows = filtered(store.events.rows, filter);
  const since = rows[0] === undefined ? "0000:0" : cursorBefore(rows[0].cursor, 1);
  return (
    <div class="view view-list">
      <h1 class="unseen">Events</h1>
      <div class="toolbar">
        <EventFilters filter={filter} />
        <span class="faint count-text" role="status">
          {countText(rows.length)} of {countText(store.events.rows.length)}
        </span>
        <button type="button" class="button button-small" aria-pressed={follows} onClick={() => setFollows(!follows)}>
          {follows ? "following" : "follow"} <kbd>f</kbd>
        </button>
        <OlderButton />
        <CopyButton label="Copy call" text={() => eventsCall(filter, since)} />
      </div>
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
