import { useEffect, useState } from "preact/hooks";
import type { EventItem } from "claw-client";
import { usePage } from "../../app/page.ts";
import { viewHash, workerHash } from "../../app/route.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { cursorBefore, readLog } from "../../store/event-feed.ts";
import type { EventRow } from "../../store/event-row.ts";
import { inert, inertLine } from "../../text/inert.ts";
import { dayTimeText } from "../../text/amounts.ts";
import { eventCall } from "./filter-events.ts";

/** The whole event, read from the log: the list keeps only a line of each. */
function useEvent(row: EventRow): EventItem | string | null {
  const { store } = usePage();
  const [found, setFound] = useState<EventItem | string | null>(null);
  useEffect(() => {
    const state = { isGone: false };
    const client = store.client();
    const tell = (result: EventItem | string): void => {
      if (!state.isGone) setFound(result);
    };
    if (client === null) tell("The daemon is not connected.");
    else {
      readLog(client, { pattern: row.topic, from: cursorBefore(row.cursor, 1), count: 1 }).then(
        ([item]) => tell(item?.sequence === row.sequence ? item : "The log no longer keeps this event."),
        (error: unknown) => tell(error instanceof Error ? error.message : String(error)),
      );
    }
    return () => {
      state.isGone = true;
    };
  }, [row.cursor, row.topic, store]);
  return found;
}

const jsonOf = ({ topic, from, cursor, storedAtMs, payload }: EventItem): string =>
  JSON.stringify({ topic, from, cursor, stored_at: new Date(storedAtMs).toISOString(), payload }, null, 2);

const JSON_CHARS = 200_000;

/** All fields of an event, with links to related events. */
export function EventDetail({ row }: { readonly row: EventRow }) {
  const { store } = usePage();
  const found = useEvent(row);
  const text = found === null ? "Reading the log …" : typeof found === "string" ? found : jsonOf(found);
  const link = `${location.origin}${location.pathname}?event=${encodeURIComponent(row.cursor)}`;
  return (
    <div class="event-detail">
      <p class="links">
        <b>{row.topic}</b> <span class="faint">{dayTimeText(row.at)}</span>
        {row.worker !== null && <a href={workerHash(row.worker)}>worker</a>}
        {row.threads.slice(0, 3).map((thread) => (
          <a key={thread} href={viewHash("events", { thread })} title={inertLine(thread)}>
            thread {inertLine(thread, 14)}
          </a>
        ))}
        <button type="button" class="link" onClick={() => (store.past.value = { cursor: row.cursor })}>
          show this moment
        </button>
      </p>
      <pre class="json" tabIndex={0}>
        {inert(text.slice(0, JSON_CHARS))}
      </pre>
      <p class="links">
        <CopyButton label="Copy JSON" text={() => text} />
        <CopyButton label="Copy event call" text={() => eventCall(row.topic, cursorBefore(row.cursor, 1))} />
        <CopyButton label="Copy link" text={() => link} />
      </p>
    </div>
  );
}
