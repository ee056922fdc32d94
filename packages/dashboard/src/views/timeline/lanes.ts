import type { WorkerView } from "claw-contract";
import type { EventRow } from "../../store/event-row.ts";

export type MarkKind = "phase" | "asks" | "good" | "bad";

/** A mark on a lane: an event of the worker, at its time. */
export interface LaneMark {
  readonly kind: MarkKind;
  readonly at: number;
  readonly cursor: string;
  readonly text: string;
}

/** A state or a tool call, from its begin to its end. */
export interface LaneSpan {
  readonly tone: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The lane of a worker: its states as spans, and its events as marks. */
export interface Lane {
  readonly peerId: string;
  readonly states: readonly LaneSpan[];
  readonly tools: readonly LaneSpan[];
  readonly marks: readonly LaneMark[];
  /** Cost of all its lives so far, in US dollars. */
  readonly costUsd: number;
}

interface OpenLane {
  readonly peerId: string;
  readonly states: LaneSpan[];
  readonly tools: LaneSpan[];
  readonly marks: LaneMark[];
  state: { readonly tone: string; readonly text: string; readonly from: number } | null;
  tool: { readonly text: string; readonly from: number } | null;
  earlierUsd: number;
  lifeUsd: number;
}

const TONES: Readonly<Record<string, string>> = {
  working: "busy",
  needs_input: "asks",
  blocked: "asks",
  rate_limited: "waits",
  paused: "waits",
  unknown: "waits",
  stale: "bad",
  hung: "bad",
  failed: "bad",
  gone: "bad",
};
const ENDED: ReadonlySet<string> = new Set(["finished", "aborted", "failed", "gone"]);

const blank = (peerId: string): OpenLane => ({
  peerId,
  states: [],
  tools: [],
  marks: [],
  state: null,
  tool: null,
  earlierUsd: 0,
  lifeUsd: 0,
});

function endState(lane: OpenLane, at: number): void {
  if (lane.state !== null) lane.states.push({ ...lane.state, to: at });
  lane.state = null;
}

/** A state from before the first event that was read. */
function beginWith(lane: OpenLane, state: string, from: number): void {
  if (!ENDED.has(state)) lane.state = { tone: TONES[state] ?? "calm", text: state, from };
}

function takeState(lane: OpenLane, { word, previous, at, text }: EventRow, begin: number): void {
  if (previous !== null && lane.state === null && lane.states.length === 0) beginWith(lane, previous, begin);
  if (word === null || lane.state?.text.split(" · ")[0] === word) return;
  endState(lane, at);
  if (!ENDED.has(word)) lane.state = { tone: TONES[word] ?? "calm", text, from: at };
}

function takeSignal(lane: OpenLane, { word, at, text }: EventRow): void {
  if (word === "tool_started") lane.tool = { text, from: at };
  if (word !== "tool_ended" || lane.tool === null) return;
  lane.tools.push({ tone: "tool", text: lane.tool.text, from: lane.tool.from, to: at });
  lane.tool = null;
}

/** A new life of a worker counts the cost from zero. The daemon tells what a life that was cut off has spent. */
function takeCost(lane: OpenLane, { topic, costUsd, kind }: EventRow): void {
  if (topic === "system.worker.terminated") return void (lane.earlierUsd += costUsd ?? 0);
  if (!topic.startsWith("worker.")) return;
  if (kind === "boot") {
    lane.earlierUsd += lane.lifeUsd;
    lane.lifeUsd = 0;
  }
  if (costUsd !== null) lane.lifeUsd = Math.max(lane.lifeUsd, costUsd);
}

function takeRow(lane: OpenLane, row: EventRow, begin: number): void {
  const { topic, kind, tone, at, cursor, text } = row;
  if (topic === "system.worker.state") takeState(lane, row, begin);
  else if (kind === "signal") takeSignal(lane, row);
  takeCost(lane, row);
  if (kind === "phase" && tone === "plain") lane.marks.push({ kind: "phase", at, cursor, text });
  else if (tone !== "plain" && topic !== "system.worker.state" && !topic.startsWith("system.command.")) {
    lane.marks.push({ kind: tone, at, cursor, text });
  }
}

/** Peers that are no workers get no lane. */
const newLane = ({ topic, worker }: EventRow): OpenLane | undefined =>
  worker !== null && (topic.startsWith("worker.") || topic.startsWith("system.worker.")) ? blank(worker) : undefined;

/** What a worker is that goes on: its state may be older than the events. */
export type KnownWorker = Pick<WorkerView, "peer_id" | "state" | "as_of" | "ended">;

/** Gives each worker that goes on a lane, and its state where no event tells one. */
function addKnown(lanes: Map<string, OpenLane>, workers: readonly KnownWorker[], begin: number): void {
  for (const { peer_id: peerId, state, as_of: asOf, ended } of workers) {
    const lane = lanes.get(peerId) ?? blank(peerId);
    if (ended || lane.state !== null || lane.states.length > 0) continue;
    lanes.set(peerId, lane);
    beginWith(lane, state, Math.max(begin, Date.parse(asOf)));
  }
}

/**
 * What each worker did, from the events about it; of workers that go on, also the state from before them. `now` ends what
 * goes on. Pure; any events are possible.
 */
export function lanesOf(rows: readonly EventRow[], now: number, workers: readonly KnownWorker[] = []): readonly Lane[] {
  const lanes = new Map<string, OpenLane>();
  const begin = rows[0]?.at ?? now;
  for (const row of rows) {
    const lane = row.worker === null ? undefined : (lanes.get(row.worker) ?? newLane(row));
    if (lane === undefined) continue;
    lanes.set(lane.peerId, lane);
    takeRow(lane, row, begin);
  }
  addKnown(lanes, workers, begin);
  return [...lanes.values()].map((lane) => {
    endState(lane, now);
    if (lane.tool !== null) lane.tools.push({ tone: "tool", text: lane.tool.text, from: lane.tool.from, to: now });
    const { peerId, states, tools, marks, earlierUsd, lifeUsd } = lane;
    return { peerId, states, tools, marks, costUsd: earlierUsd + lifeUsd };
  });
}

/** The part of time that is drawn. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Least span that is drawn, in milliseconds. */
const LEAST_SPAN_MS = 1000;

/** A range zoomed around its middle, kept inside all of time. */
export function zoomed({ from, to }: TimeRange, factor: number, all: TimeRange): TimeRange {
  const span = Math.min(all.to - all.from, Math.max(LEAST_SPAN_MS, (to - from) * factor));
  return inside({ from: (from + to) / 2 - span / 2, to: (from + to) / 2 + span / 2 }, all);
}

/** A range moved by a share of itself, kept inside all of time. */
export const moved = ({ from, to }: TimeRange, share: number, all: TimeRange): TimeRange =>
  inside({ from: from + (to - from) * share, to: to + (to - from) * share }, all);

function inside({ from, to }: TimeRange, all: TimeRange): TimeRange {
  const span = to - from;
  const start = Math.min(Math.max(from, all.from), Math.max(all.from, all.to - span));
  return { from: start, to: start + span };
}

/** At most one mark for each step of width, the worst of them. */
const RANKS: readonly MarkKind[] = ["bad", "asks", "good", "phase"];

export function marksInView(marks: readonly LaneMark[], range: TimeRange, steps: number): readonly LaneMark[] {
  const width = (range.to - range.from) / steps;
  const kept = new Map<number, LaneMark>();
  for (const mark of marks) {
    if (mark.at < range.from || mark.at > range.to) continue;
    const step = Math.floor((mark.at - range.from) / width);
    const known = kept.get(step);
    if (known === undefined || RANKS.indexOf(mark.kind) < RANKS.indexOf(known.kind)) kept.set(step, mark);
  }
  return [...kept.values()];
}
