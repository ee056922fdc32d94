import { useMemo, useState } from "preact/hooks";
import { usePage } from "../../app/page.ts";
import { Notice } from "../../parts/notice.tsx";
import { useKeys } from "../../parts/use-keys.ts";
import { dayTimeText, timeText } from "../../text/amounts.ts";
import { LaneRow } from "./lane-row.tsx";
import type { TimeRange } from "./lanes.ts";
import { lanesOf, moved, zoomed } from "./lanes.ts";

/** How much one press zooms and moves. */
const ZOOM = 2;
const MOVE = 0.5;
/** Lanes that are drawn; the newest workers first. */
const SHOWN_LANES = 100;

interface ToolsProps {
  readonly range: TimeRange;
  readonly all: TimeRange;
  readonly set: (range: TimeRange | null) => void;
}

/** Zoom, the way back and forth, and older events. */
function Tools({ range, all, set }: ToolsProps) {
  const { store, said } = usePage();
  const older = async (): Promise<void> => {
    const count = await store.loadOlder();
    said.value = count === 0 ? "There are no older events." : `${count} older events`;
  };
  const small = "button button-small";
  return (
    <div class="toolbar">
      <button type="button" class={small} aria-label="Zoom in" onClick={() => set(zoomed(range, 1 / ZOOM, all))}>
        +
      </button>
      <button type="button" class={small} aria-label="Zoom out" onClick={() => set(zoomed(range, ZOOM, all))}>
        −
      </button>
      <button type="button" class={small} aria-label="Earlier" onClick={() => set(moved(range, -MOVE, all))}>
        ‹
      </button>
      <button type="button" class={small} aria-label="Later" onClick={() => set(moved(range, MOVE, all))}>
        ›
      </button>
      <button type="button" class={small} onClick={() => set(null)}>
        All
      </button>
      <button type="button" class={small} onClick={() => void older()}>
        Older
      </button>
      <span class="faint">
        {dayTimeText(range.from)} – {timeText(range.to)}
      </span>
      <span class="legend faint">
        <i class="key-busy" /> works <i class="key-asks" /> asks <i class="key-waits" /> waits <i class="key-bad" />{" "}
        trouble
      </span>
    </div>
  );
}

/** The moment that the whole page shows. At its end it is live. */
function Scrubber({ range }: { readonly range: TimeRange }) {
  const { store } = usePage();
  const { past, moment } = store;
  const shown = past.value === null ? range.to : Date.parse(moment.value?.ts ?? "");
  const scrub = (value: number): void => {
    past.value = value >= range.to - (range.to - range.from) / 500 ? null : { time: value };
  };
  return (
    <div class="lane scrubber">
      <span class="lane-name faint">{past.value === null ? "live" : timeText(shown, true)}</span>
      <input
        type="range"
        aria-label="Moment that the page shows"
        aria-valuetext={past.value === null ? "live" : dayTimeText(shown)}
        min={range.from}
        max={range.to}
        step={Math.max(1, Math.round((range.to - range.from) / 1000))}
        value={shown}
        onInput={(event) => scrub(event.currentTarget.valueAsNumber)}
      />
    </div>
  );
}

/** The keys that zoom and move. */
function useRangeKeys(range: TimeRange, all: TimeRange, set: (range: TimeRange) => void): void {
  const keys = useMemo(
    () => ({
      "+": () => set(zoomed(range, 1 / ZOOM, all)),
      "-": () => set(zoomed(range, ZOOM, all)),
      "[": () => set(moved(range, -MOVE, all)),
      "]": () => set(moved(range, MOVE, all)),
    }),
    [range.from, range.to],
  );
  useKeys(keys);
}

/** A lane for each worker over time; a mark leads to its event; the slider shows the page at another moment. */
export function TimelineView() {
  const { store } = usePage();
  const [wanted, setWanted] = useState<TimeRange | null>(null);
  const version = store.eventsVersion.value;
  const now = store.now.value;
  const { rows } = store.events;
  const lanes = useMemo(() => lanesOf(rows, now).toReversed().slice(0, SHOWN_LANES), [version, now, rows]);
  const all = { from: rows[0]?.at ?? now - 1000, to: now };
  const range = wanted ?? all;
  useRangeKeys(range, all, setWanted);
  const names = new Map((store.moment.value?.workers ?? []).map(({ peer_id: id, name }) => [id, name]));
  const moment = store.past.value === null ? null : Date.parse(store.moment.value?.ts ?? "");
  if (lanes.length === 0) {
    return (
      <Notice title="Nothing has happened yet">
        <p>Each worker gets a lane here: what it did, what it asked, where it failed, and what it cost.</p>
      </Notice>
    );
  }
  return (
    <div class="view">
      <h1 class="unseen">Timeline</h1>
      <Tools range={range} all={all} set={setWanted} />
      <div class="scroll lanes" tabIndex={0}>
        <Scrubber range={range} />
        {lanes.map((lane) => (
          <LaneRow
            key={lane.peerId}
            lane={lane}
            name={names.get(lane.peerId) ?? lane.peerId}
            range={range}
            moment={moment}
          />
        ))}
      </div>
    </div>
  );
}
