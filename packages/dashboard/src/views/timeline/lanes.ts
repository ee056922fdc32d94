import type { EventRow } from "../../store/event-row.ts";

export type MarkKind = "phase" | "asks" | "good" | "bad";

/** A mark on a lane: an event of the worker, at its time. */
export interface LaneMark {
  readonly kind: MarkKind;
  readonly at: number;
  readonly cursor: string;
  readonly text: string;
}

/** Something that lasted: a state, or a tool. */
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

function takeState(lane: OpenLane, { word, at, text }: EventRow): void {
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

/** A new life counts its cost from nothing. */
function takeCost(lane: OpenLane, { costUsd, kind }: EventRow): void {
  if (kind === "boot") {
    lane.earlierUsd += lane.lifeUsd;
    lane.lifeUsd = 0;
  }
  if (costUsd !== null) lane.lifeUsd = Math.max(lane.lifeUsd, costUsd);
}

function takeRow(lane: OpenLane, row: EventRow): void {
  const { topic, kind, tone, at, cursor, text } = row;
  if (topic === "system.worker.state") takeState(lane, row);
  else if (kind === "signal") takeSignal(lane, row);
  if (topic.startsWith("worker.")) takeCost(lane, row);
  if (kind === "phase" && tone === "plain") lane.marks.push({ kind: "phase", at, cursor, text });
  else if (tone !== "plain" && topic !== "system.worker.state" && !topic.startsWith("system.command.")) {
    lane.marks.push({ kind: tone, at, cursor, text });
  }
}

/** Peers that are no workers get no lane. */
const newLane = ({ topic, worker }: EventRow): OpenLane | undefined =>
  worker !== null && (topic.startsWith("worker.") || topic.startsWith("system.worker.")) ? blank(worker) : undefined;

/** What each worker did, from the events about it. `now` ends what goes on. Pure; any events are possible. */
export function lanesOf(rows: readonly EventRow[], now: number): readonly Lane[] {
  const lanes = new Map<string, OpenLane>();
  for (const row of rows) {
    const lane = row.worker === null ? undefined : (lanes.get(row.worker) ?? newLane(row));
    if (lane === undefined) continue;
    lanes.set(lane.peerId, lane);
    takeRow(lane, row);
  }
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
