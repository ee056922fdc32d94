const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A span as people say it: `8 s`, `3 min`, `2 h 5 min`, `4 d`. */
export function spanText(ms: number): string {
  const span = Math.max(0, ms);
  if (span < MINUTE) return `${Math.floor(span / SECOND)} s`;
  if (span < HOUR) return `${Math.floor(span / MINUTE)} min`;
  if (span >= DAY) return `${Math.floor(span / DAY)} d`;
  const minutes = Math.floor((span % HOUR) / MINUTE);
  return minutes === 0 ? `${Math.floor(span / HOUR)} h` : `${Math.floor(span / HOUR)} h ${minutes} min`;
}

/** Time left as a clock shows it: `1:05`, `2:03:00`. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND));
  const two = (value: number): string => String(value).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Tokens or other counts: `950`, `18.4k`, `1.2M`. */
export function countText(count: number): string {
  if (count < 1000) return String(Math.round(count));
  const [value, unit] = count < 1e6 ? [count / 1e3, "k"] : [count / 1e6, "M"];
  return `${value < 100 ? value.toFixed(1) : Math.round(value)}${unit}`;
}

/** A count and its noun: `1 file`, `2 files`. */
export const countedText = (count: number, noun: string): string =>
  `${countText(count)} ${noun}${count === 1 ? "" : "s"}`;

/** An amount in dollars. Small amounts get more digits, so that they differ from zero. */
export const moneyText = (usd: number): string => `$${usd !== 0 && usd < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`;

const pad = (value: number, digits = 2): string => String(value).padStart(digits, "0");

/** The local time of day: `14:03:09`, with `isExact` also milliseconds. */
export function timeText(at: number, isExact = false): string {
  const date = new Date(at);
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => pad(part)).join(":");
  return isExact ? `${time}.${pad(date.getMilliseconds(), 3)}` : time;
}

/** The local day and time: `2026-03-04 14:03:09`. */
export function dayTimeText(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())} ${timeText(at)}`;
}
