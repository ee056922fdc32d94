import type { VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import { isBusAway, whileAway } from "../../../verbs/index.ts";
import type { ToolPorts } from "../tool-host.ts";
import { LONGEST_WAIT_MS, withTimeLimit } from "../time-limit.ts";
import { callVerb } from "../call-verb.ts";
import type { ToolHandler } from "../claws-tool.ts";

const DEFAULT_EVENTS = 50;
/** Bytes of events in one answer. One event is answered in any case. */
const ANSWER_BYTES = 48 * 1024;

type Events = VerbOutput<"events">;
type Item = Events["events"][number];

/** An event that is stored, and the place of which is known. */
export interface Stored {
  readonly topic: string;
  readonly sequence: number;
  readonly [name: string]: unknown;
}

const isStored = (item: Item): item is Item & Stored =>
  typeof (item as Partial<Stored>).topic === "string" && typeof (item as Partial<Stored>).sequence === "number";

interface Asked {
  readonly topic: string[] | undefined;
  readonly since: string;
  readonly limit: number;
  /** Bytes of events in one answer. */
  readonly bytes?: number;
}

/** Adds the caller's cursor to an error, so that the next call misses no event. */
const withPlace = ({ code, message, options }: ClawError, cursor: string): ClawError =>
  new ClawError(code, message, { ...options, partial: { events: [], cursor, more: true } });

/** Waits for the first event. Resolves with whether one came in time. */
async function isNews({ topic, since }: Asked, ms: number, ports: ToolPorts): Promise<boolean> {
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
async function readOrWait(asked: Asked, seconds: number, ports: ToolPorts): Promise<Events> {
  if (seconds <= 0) return readPart(asked, ports);
  const deadlineMs = Date.now() + Math.min(seconds * 1000, LONGEST_WAIT_MS);
  let place = asked;
  const attempt = async (): Promise<Events> => {
    const found = await readPart(place, ports);
    if (found.events.length > 0) return found;
    place = { ...asked, since: found.resume_cursor };
    const leftMs = Math.max(0, deadlineMs - Date.now());
    return (await isNews(place, leftMs, ports)) ? readPart(place, ports) : found;
  };
  try {
    return await whileAway({ signal: ports.signal, deadlineMs: () => deadlineMs }, attempt);
  } catch (error) {
    throw isBusAway(error) ? withPlace(error, place.since) : error;
  }
}

/** The place in the log now. */
async function cursorNow(ports: ToolPorts): Promise<string> {
  const bus = await ports.seat.join(ports.signal);
  try {
    const { cursor } = await bus.request("log.cursor", { time: Date.now() });
    return cursor;
  } finally {
    await bus.close();
  }
}

const readPart = async ({ topic, since, limit, bytes = ANSWER_BYTES }: Asked, ports: ToolPorts): Promise<Events> =>
  (await callVerb("events", { topic, since, limit }, { ...ports, maxAnswerBytes: bytes })).data;

export const handleEvents: ToolHandler<"claws_events"> = async (input, { ports }) => {
  const { topics, limit = DEFAULT_EVENTS, wait_seconds: seconds = 0 } = input;
  const asked = { topic: topics, since: input.since ?? (await cursorNow(ports)), limit };
  return { data: partData(await readOrWait(asked, seconds, ports), limit, ports) };
};

/** Events after a cursor, and the cursor of the next part. Waits for the first one, when a time is given. */
export const readEvents = async (asked: Asked, ports: ToolPorts, seconds = 0) =>
  partData(await readOrWait(asked, seconds, ports), asked.limit, ports);

function partData({ events, resume_cursor: cursor }: Events, limit: number, ports: ToolPorts) {
  const gaps = events.filter((item) => !isStored(item));
  return {
    // The same list: its JSON is known.
    events: gaps.length === 0 ? (events as (Item & Stored)[]) : events.filter(isStored),
    cursor,
    more: events.length >= limit || ports.notes.notes().truncated === true,
    ...(gaps.length === 0 ? {} : { gaps }),
  };
}
