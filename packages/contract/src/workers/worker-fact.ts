/** A committed event that says something of a worker. */
export interface EventFact {
  readonly kind: "event";
  readonly topic: string;
  /** Peer that published it; `server` for the server's own. */
  readonly from: string;
  /** What the publisher said, without an envelope. It may hold anything. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly sequence: number;
  /** When it was stored, in milliseconds. */
  readonly at: number;
}

/** What time it is, for those who listen. */
export interface ClockFact {
  readonly kind: "clock";
  readonly at: number;
  /** Since when somebody listens without interruption; silence before that is nobody's. */
  readonly listeningSince: number;
  /** When its connection last carried anything, events or not; null when it has none. */
  readonly lastFrame: number | null;
}

export type WorkerFact = EventFact | ClockFact;

const MAX_CHARS = 200;

/** A text that is not empty. */
export const textIn = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** The same on one line, cut to what a state needs. */
export function lineIn(value: unknown): string | null {
  const text = textIn(value)?.slice(0, MAX_CHARS * 2);
  const line = text?.replaceAll(/\s+/g, " ").trim() ?? "";
  if (line === "") return null;
  return line.length <= MAX_CHARS ? line : `${line.slice(0, MAX_CHARS - 1)}…`;
}

export const amountIn = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;

/** Milliseconds of an ISO time. */
export function timeIn(value: unknown): number | null {
  const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isFinite(ms) ? ms : null;
}
