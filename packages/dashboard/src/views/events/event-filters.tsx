import { usePage } from "../../app/page.ts";
import { viewHash } from "../../app/route.ts";
import { inertLine } from "../../text/inert.ts";
import type { EventFilter } from "./filter-events.ts";
import { isPattern, NO_FILTER } from "./filter-events.ts";

const KINDS = [
  "state",
  "phase",
  "signal",
  "REQUEST",
  "BLOCKED",
  "ERROR",
  "PROGRESS",
  "LOG",
  "HARVEST",
  "heartbeat",
  "complete",
];

/** Each filter is a word of the address, so that a link shows the same list. */
function setFilter(filter: EventFilter): void {
  history.replaceState(null, "", viewHash("events", { ...filter }));
  dispatchEvent(new HashChangeEvent("hashchange"));
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly set: (value: string) => void;
  readonly isBad?: boolean;
  readonly isSearch?: boolean;
}

function Field({ label, value, placeholder, set, isBad = false, isSearch = false }: FieldProps) {
  return (
    <input
      class="text-field"
      aria-label={label}
      placeholder={placeholder}
      value={value}
      aria-invalid={isBad}
      data-search={isSearch ? "" : undefined}
      spellcheck={false}
      onInput={(event) => set(event.currentTarget.value)}
    />
  );
}

/** Topic, worker, kind and text. */
export function EventFilters({ filter }: { readonly filter: EventFilter }) {
  const { store } = usePage();
  const { topic, worker, kind, text, thread } = filter;
  const set = (change: Partial<EventFilter>): void => setFilter({ ...filter, ...change });
  const workers = store.moment.value?.workers ?? [];
  return (
    <div class="filters" role="search" aria-label="Filter the events">
      <Field label="Text" placeholder="text" value={text} isSearch set={(value) => set({ text: value })} />
      <Field
        label="Topic pattern"
        placeholder="topic: worker.*.phase"
        value={topic}
        isBad={!isPattern(topic)}
        set={(value) => set({ topic: value })}
      />
      <select aria-label="Worker" value={worker} onChange={(event) => set({ worker: event.currentTarget.value })}>
        <option value="">all workers</option>
        {workers.map(({ peer_id: id, name }) => (
          <option key={id} value={id}>
            {inertLine(name, 40)}
          </option>
        ))}
      </select>
      <select aria-label="Kind" value={kind} onChange={(event) => set({ kind: event.currentTarget.value })}>
        <option value="">all kinds</option>
        {KINDS.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      {thread !== "" && (
        <button type="button" class="button button-small" onClick={() => set({ thread: "" })}>
          thread {inertLine(thread, 14)} ✕
        </button>
      )}
      {JSON.stringify(filter) !== JSON.stringify(NO_FILTER) && (
        <button type="button" class="link" onClick={() => setFilter(NO_FILTER)}>
          clear
        </button>
      )}
    </div>
  );
}
