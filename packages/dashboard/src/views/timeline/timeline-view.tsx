import { useMemo, useState } from "preact/hooks";
import type { WorkerView } from "claw-contract";
import { usePage } from "../../app/page.ts";
import { Notice } from "../../parts/notice.tsx";
import { StartWorker } from "../../parts/start-worker.tsx";
import { useKeys } from "../../parts/use-keys.ts";
import { dayTimeText, timeText } from "../../text/amounts.ts";
import { LaneRow } from "./lane-row.tsx";
import type { Lane, TimeRange } from "./lanes.ts";
import { lanesOf, moved, zoomed } from "./lanes.ts";
import type { TimeTick } from "./time-ticks.ts";
import { timeTicks } from "./time-ticks.ts";
import { useLogStart } from "./use-log-start.ts";

/** How much one press zooms and moves. */
const ZOOM = 2;
const MOVE = 0.5;
const SECOND_MS = 1000;
const NO_WORKERS: readonly WorkerView[] = [];
/** Lanes that are drawn; the newest workers first. */
const SHOWN_LANES = 100;

/** Colours of the lanes, and what each stands for. */
const LEGEND = [
  ["busy", "works"],
  ["asks", "asks"],
  ["waits", "waits"],
  ["bad", "trouble"],
  ["good", "done"],
  ["phase", "phase"],
] as const;

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
      <button type="button" class={small} title="The whole log" onClick={() => set(all)}>
        All
      </button>
      <button type="button" class={small} title="The events that this page has read" onClick={() => set(null)}>
        Read
      </button>
      <button type="button" class={small} title="Reads older events into the lanes" onClick={() => void older()}>
        Older
      </button>
      <span class="faint">
        {dayTimeText(range.from)} – {timeText(range.to)}
      </span>
      <span class="legend faint">
        {LEGEND.map(([key, word]) => (
          <span key={key}>
            <i class={`key-${key}`} /> {word}
          </span>
        ))}
      </span>
    </div>
  );
}

/** A slider for the moment that the whole page shows. At the right end the page is live. */
function Scrubber({ range }: { readonly range: TimeRange }) {
  const { store } = usePage();
  const { past, moment } = store;
  const wanted = past.value !== null && "time" in past.value ? past.value.time : Date.parse(moment.value?.ts ?? "");
  const shown = past.value === null ? range.to : wanted;
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
        step={Math.max(1, Math.min(SECOND_MS, Math.round((range.to - range.from) / 1000)))}
        value={shown}
        onInput={(event) => scrub(event.currentTarget.valueAsNumber)}
      />
    </div>
  );
}

/** How near a time is to the end of the axis: there its text stands before its line, and a phone leaves the text out. */
const edgeOf = (share: number): string => (share > 0.93 ? "late near-end" : share > 0.78 ? "near-end" : "");

/** Times below the slider. */
function Axis({ range, ticks }: { readonly range: TimeRange; readonly ticks: readonly TimeTick[] }) {
  return (
    <div class="lane axis" aria-hidden="true">
      <span />
      <span class="axis-times">
        {ticks.map(({ at, text }) => {
          const share = (at - range.from) / (range.to - range.from);
          return (
            <span key={at} class={edgeOf(share)} style={{ left: `${share * 100}%` }}>
              {text}
            </span>
          );
        })}
      </span>
    </div>
  );
}

/** Tells that the lanes begin later than the range, because older events were not read yet. */
function Unread({ range, until }: { readonly range: TimeRange; readonly until: number }) {
  if (until - range.from < (range.to - range.from) / 100) return null;
  return (
    <p class="lane unread faint">
      <span />
      <span>Lanes begin at {dayTimeText(until)}; Older reads on. The slider reaches the whole log.</span>
    </p>
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
    [range.from, range.to, all.from, all.to],
  );
  useKeys(keys);
}

/** The lanes of the newest workers. */
function useLanes(): readonly Lane[] {
  const { store } = usePage();
  const version = store.eventsVersion.value;
  const now = store.now.value;
  const { rows } = store.events;
  const known = store.moment.value?.workers ?? NO_WORKERS;
  return useMemo(() => lanesOf(rows, now, known).toReversed().slice(0, SHOWN_LANES), [version, now, rows, known]);
}

interface LanesProps {
  readonly lanes: readonly Lane[];
  readonly range: TimeRange;
  readonly ticks: readonly TimeTick[];
}

function Lanes({ lanes, range, ticks }: LanesProps) {
  const { store } = usePage();
  const workers = new Map((store.moment.value?.workers ?? []).map((worker) => [worker.peer_id, worker]));
  const moment = store.past.value === null ? null : Date.parse(store.moment.value?.ts ?? "");
  return (
    <>
      {lanes.map((lane) => (
        <LaneRow
          key={lane.peerId}
          lane={lane}
          worker={workers.get(lane.peerId)}
          range={range}
          ticks={ticks}
          moment={moment}
        />
      ))}
    </>
  );
}

/** A lane for each worker over time; a mark leads to its event; the slider shows the page at another moment. */
export function TimelineView() {
  const { store } = usePage();
  const [wanted, setWanted] = useState<TimeRange | null>(null);
  const lanes = useLanes();
  const now = store.now.value;
  const read = { from: store.events.rows[0]?.at ?? now - SECOND_MS, to: now };
  const all = { from: Math.min(read.from, useLogStart() ?? read.from), to: now };
  const range = wanted ?? read;
  useRangeKeys(range, all, setWanted);
  if (lanes.length === 0) {
    return (
      <Notice title="Nothing has happened yet">
        <p>Each worker gets a lane here: what it did, what it asked, where it failed, and what it cost.</p>
        <StartWorker />
      </Notice>
    );
  }
  const ticks = timeTicks(range);
  return (
    <div class="view">
      <h1 class="unseen">Timeline</h1>
      <Tools range={range} all={all} set={setWanted} />
      <div class="scroll lanes" tabIndex={0}>
        <Scrubber range={range} />
        <Axis range={range} ticks={ticks} />
        <Unread range={range} until={read.from} />
        <Lanes lanes={lanes} range={range} ticks={ticks} />
      </div>
    </div>
  );
}
