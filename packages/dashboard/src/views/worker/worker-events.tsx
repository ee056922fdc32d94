import { useState } from "preact/hooks";
import { usePage } from "../../app/page.ts";
import { viewHash } from "../../app/route.ts";
import { Notice } from "../../parts/notice.tsx";
import { EventList } from "../events/event-list.tsx";
import { createFiltered, NO_FILTER, rowsUpTo } from "../events/filter-events.ts";

/** The events about one worker. */
export function WorkerEvents({ peerId }: { readonly peerId: string }) {
  const { store } = usePage();
  const [filtered] = useState(createFiltered);
  void store.eventsVersion.value;
  const rows = rowsUpTo(filtered(store.events.rows, { ...NO_FILTER, worker: peerId }), store.cut.value);
  if (rows.length === 0) {
    return (
      <Notice title="No event of this worker is here">
        <p>
          Older ones are in the log: <a href={viewHash("events", { worker: peerId })}>all events</a>
        </p>
      </Notice>
    );
  }
  return <EventList rows={rows} follows shown={null} />;
}
