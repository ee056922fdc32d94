const UNITS = [
  { seconds: 86_400, word: "d", letter: "d" },
  { seconds: 3600, word: "h", letter: "h" },
  { seconds: 60, word: "min", letter: "m" },
  { seconds: 1, word: "s", letter: "s" },
] as const;

/** A length of time in its largest unit. */
function inLargestUnit(seconds: number): { readonly count: number; readonly word: string; readonly letter: string } {
  const unit = UNITS.find((candidate) => seconds >= candidate.seconds) ?? UNITS[3];
  return { ...unit, count: Math.floor(seconds / unit.seconds) };
}

const secondsSince = (iso: string, nowMs: number): number => Math.max(0, (nowMs - Date.parse(iso)) / 1000);

/** A moment as people say it: "just now", "5 min ago", "3 d ago". */
export function ago(iso: string, nowMs: number): string {
  const { count, word } = inLargestUnit(secondsSince(iso, nowMs));
  return word === "s" ? "just now" : `${count} ${word} ago`;
}

/** The time since a moment, for a narrow column: `7s`, `5m`, `3d`. */
export function age(iso: string, nowMs: number): string {
  const { count, letter } = inLargestUnit(secondsSince(iso, nowMs));
  return `${count}${letter}`;
}

/** The time until a moment: `90 s`, `5 min`, `3 h`. */
export function timeLeft(deadline: string, nowMs: number): string {
  const seconds = Math.ceil(Math.max(0, Date.parse(deadline) - nowMs) / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}

/** A length of time: `3.2 s`, `1 min 5 s`, `2 h 10 min`. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  const rest = `${Math.floor(seconds % 60)} s`;
  return minutes < 60 ? `${minutes} min ${rest}` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const twoDigits = (number: number): string => String(number).padStart(2, "0");

/** Hour and minute of this place: `22:32`. */
export function localHour(iso: string): string {
  const time = new Date(iso);
  return [time.getHours(), time.getMinutes()].map(twoDigits).join(":");
}

/** Day and time of this place: `11-15 22:32:31`. */
export function localTime(iso: string): string {
  const time = new Date(iso);
  const day = [time.getMonth() + 1, time.getDate()].map(twoDigits).join("-");
  return `${day} ${localHour(iso)}:${twoDigits(time.getSeconds())}`;
}
