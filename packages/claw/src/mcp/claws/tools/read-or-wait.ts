import { ClawError } from "claw-contract";
import { isBusAway, whileAway } from "../../../verbs/index.ts";
import { callVerb } from "../call-verb.ts";
import { LONGEST_WAIT_MS, withTimeLimit } from "../time-limit.ts";
import type { ToolPorts } from "../tool-host.ts";

/** Which events are read, and the cursor after which they stand. */
interface Place {
  readonly topic: string[] | undefined;
  readonly since: string;
}

interface EventsRead {
  /** Number of events. */
  readonly count: number;
  readonly cursor: string;
}

/** Adds the caller's cursor to an error, so that the next call misses no event. */
const withPlace = ({ code, message, options }: ClawError, cursor: string): ClawError =>
  new ClawError(code, message, { ...options, partial: { events: [], cursor, more: true } });

/** Waits for the first event. Resolves with whether one came in time. */
async function isNews({ topic, since }: Place, ms: number, ports: ToolPorts): Promise<boolean> {
  try {
    await withTimeLimit(ports, { ms, target: "events" }, (limited) => callVerb("wait", { topic, since }, limited));
    return true;
  } catch (error) {
    ports.signal.throwIfAborted();
    if (error instanceof ClawError && error.code === "TIMEOUT") return false;
    throw error;
  }
}

/**
 * Reads events, and waits for the first one when there is none, at most for the given time. A daemon that is killed and
 * started again meanwhile loses no event.
 */
export async function readOrWait<Part extends EventsRead>(
  asked: Place,
  seconds: number,
  ports: ToolPorts,
  read: (place: Place) => Promise<Part>,
): Promise<Part> {
  if (seconds <= 0) return read(asked);
  const deadlineMs = Date.now() + Math.min(seconds * 1000, LONGEST_WAIT_MS);
  let place = asked;
  const attempt = async (): Promise<Part> => {
    const found = await read(place);
    if (found.count > 0) return found;
    place = { ...asked, since: found.cursor };
    const leftMs = Math.max(0, deadlineMs - Date.now());
    return (await isNews(place, leftMs, ports)) ? read(place) : found;
  };
  try {
    return await whileAway({ signal: ports.signal, deadlineMs: () => deadlineMs }, attempt);
  } catch (error) {
    throw isBusAway(error) ? withPlace(error, place.since) : error;
  }
}
