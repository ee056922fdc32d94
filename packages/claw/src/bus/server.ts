import type { Policy } from "./publish/topic-plan.ts";

/** Facts about the server that `introspect` reports: version, sockets, durability. */
export interface BusFacts {
  readonly version?: string;
  readonly servers?: readonly { readonly workspace: string; readonly socket: string }[];
  readonly durability?: "strict" | "relaxed";
}

export interface ServerOptions {
  readonly now: () => number;
  /** Writes a line to the daemon's own log. */
  readonly report: (text: string) => void;
  /** `strict` unless told otherwise. */
  readonly policy?: Policy;
  readonly about?: BusFacts;
}

/** The server's clock, its rules, and the way to the daemon's own log. All shelves may use it; it has no state. */
export interface Server {
  readonly policy: Policy;
  readonly about: BusFacts;
  /** Milliseconds. */
  readonly startedAt: number;
  /** Milliseconds. */
  now(): number;
  /** ISO time. */
  timestamp(): string;
  /** For the daemon's own log. */
  report(text: string): void;
}

export const createServer = ({ now, report, policy = "strict", about = {} }: ServerOptions): Server => ({
  policy,
  about,
  startedAt: now(),
  now,
  timestamp: createTimestamps(now),
  report,
});

/** ISO times; one text serves a whole millisecond (bench bus, "server time for an event"). */
function createTimestamps(now: () => number): () => string {
  let at = Number.NaN;
  let text = "";
  return () => {
    const ms = now();
    if (ms !== at) {
      at = ms;
      text = new Date(ms).toISOString();
    }
    return text;
  };
}
