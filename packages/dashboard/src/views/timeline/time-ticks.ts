import { dayTimeText } from "../../text/amounts.ts";
import type { TimeRange } from "./lanes.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Distances between two ticks, in milliseconds. */
const STEPS = [
  ...[0.2, 0.5, 1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 30, 90, 365].map((count) => count * DAY),
];
const MOST_TICKS = 7;

export interface TimeTick {
  readonly at: number;
  readonly text: string;
}

/** The local time, as exact as a step needs. */
function tickText(at: number, step: number): string {
  const [day = "", time = ""] = dayTimeText(at).split(" ");
  if (step >= DAY) return day;
  if (step < SECOND) return `${time}.${Math.floor((at % SECOND) / 100)}`;
  return step < MINUTE ? time : time.slice(0, 5);
}

/** Round times within a range, by the clock of this place. */
export function timeTicks({ from, to }: TimeRange): readonly TimeTick[] {
  const step = STEPS.find((each) => (to - from) / each <= MOST_TICKS) ?? to - from;
  const shift = new Date(from).getTimezoneOffset() * MINUTE;
  const first = Math.ceil((from - shift) / step) * step + shift;
  const count = Math.max(0, Math.floor((to - first) / step) + 1);
  return Array.from({ length: count }, (_, index) => first + index * step).map((at) => ({
    at,
    text: tickText(at, step),
  }));
}
