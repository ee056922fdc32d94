import type { WorkerView } from "claw-contract";
import { viewHash, workerHash } from "../../app/route.ts";
import { moneyText, timeText } from "../../text/amounts.ts";
import { inertLine } from "../../text/inert.ts";
import type { Lane, LaneSpan, TimeRange } from "./lanes.ts";
import { marksInView } from "./lanes.ts";
import type { TimeTick } from "./time-ticks.ts";

/** Width of the drawing in its own units. */
const WIDTH = 1000;
const HEIGHT = 30;
/** Most marks that a lane draws. */
const MARK_STEPS = 125;

const placeOf = (at: number, { from, to }: TimeRange): number =>
  Math.min(WIDTH, Math.max(0, ((at - from) / (to - from)) * WIDTH));

function Spans({
  spans,
  range,
  y,
  height,
}: {
  readonly spans: readonly LaneSpan[];
  readonly range: TimeRange;
  readonly y: number;
  readonly height: number;
}) {
  const shown = spans.filter(({ from, to }) => to >= range.from && from <= range.to);
  return (
    <>
      {shown.map(({ tone, from, to, text }, index) => {
        const x = placeOf(from, range);
        return (
          <rect
            key={index}
            class={`span-${tone}`}
            x={x}
            y={y}
            height={height}
            width={Math.max(1, placeOf(to, range) - x)}
          >
            <title>{`${text}, from ${timeText(from)} to ${timeText(to)}`}</title>
          </rect>
        );
      })}
    </>
  );
}

const MARK_NAMES = { phase: "phase", asks: "asks", good: "done", bad: "trouble" } as const;

interface LaneRowProps {
  readonly lane: Lane;
  /** The worker at the moment that the page shows; undefined before its start and after its removal. */
  readonly worker: WorkerView | undefined;
  readonly range: TimeRange;
  readonly ticks: readonly TimeTick[];
  readonly moment: number | null;
}

/** One worker over time. Each mark leads to its event. */
export function LaneRow({ lane, worker, range, ticks, moment }: LaneRowProps) {
  const name = worker?.name ?? lane.peerId;
  return (
    <div class="lane">
      <a class="lane-name" href={workerHash(lane.peerId)} data-row>
        <b>{inertLine(name, 40)}</b>
        <span class="faint">
          {worker?.cost_estimated === true && "≈"}
          {moneyText(worker?.cost_usd ?? lane.costUsd)}
        </span>
      </a>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="group"
        aria-label={`What ${inertLine(name, 40)} did`}
      >
        {ticks.map(({ at }) => (
          <rect key={at} class="tick-line" x={placeOf(at, range)} y={-2} width={1} height={HEIGHT + 4} />
        ))}
        <Spans spans={lane.states} range={range} y={11} height={8} />
        <Spans spans={lane.tools} range={range} y={21} height={4} />
        {marksInView(lane.marks, range, MARK_STEPS).map(({ kind, at, cursor, text }) => (
          <a
            key={cursor}
            href={viewHash("events", { event: cursor })}
            aria-label={`${MARK_NAMES[kind]}, ${timeText(at, true)} ${text}`}
          >
            <rect class={`mark-${kind}`} x={placeOf(at, range) - 3} y={3} width={6} height={kind === "phase" ? 6 : 24}>
              <title>{`${timeText(at, true)} ${text}`}</title>
            </rect>
          </a>
        ))}
        {moment !== null && <rect class="moment-line" x={placeOf(moment, range)} y={0} width={2} height={HEIGHT} />}
      </svg>
    </div>
  );
}
