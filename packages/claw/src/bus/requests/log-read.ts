import type { ReplyFields } from "claw-contract";
import { isTopicPattern, LIMITS, matchSegments, parseJson } from "claw-contract";
import type { BusContext } from "../bus-context.ts";
import type { LogGap } from "../delivery/subscription.ts";
import { cursorOf, gapBefore, readCursor, segmentsOf } from "../delivery/subscription.ts";
import { rememberTopics } from "../delivery/topic-memory.ts";
import type { StoredEvent } from "../log/index.ts";
import { lineHead } from "../log/index.ts";
import type { Peer } from "../peers/peer.ts";
import type { RequestOutcome } from "./request-handler.ts";
import { error, handleRequest } from "./request-handler.ts";

/** Stands between two events of a reply. No event holds a tab, so a reader can cut the reply without parsing it. */
const BETWEEN = ",\t";

/** How much of the log one piece of a reading takes. */
const PIECE_BYTES = 4 * LIMITS.logReadBytes;
/** Most pieces of the log that one request reads. When none has a wanted event, the client's next request goes on behind them. */
const MOST_PIECES = 64;

type Outcome = RequestOutcome<ReplyFields<"log.read">>;

interface LogReading extends Pick<BusContext, "log" | "headAtStart"> {
  readonly isWanted: (event: StoredEvent) => boolean;
  readonly limit: number;
  readonly bytes: number;
}

/** The events and gaps that a request has found between its cursor and its position. */
interface LogPart {
  position: number;
  bytes: number;
  readonly events: string[];
  readonly gaps: LogGap[];
}

/**
 * The payload without tabs that its sender may have written between two members. Undefined for a payload that a damaged
 * disk made no JSON. What this process wrote is not parsed (bench mcp, "1000 events").
 */
function soundPayload({ payload, sequence }: StoredEvent, { headAtStart }: LogReading): string | undefined {
  const hasTabs = payload?.includes("\t") === true;
  if (payload === undefined || (sequence > headAtStart && !hasTabs)) return payload;
  const value = parseJson(payload);
  if (value === undefined) return undefined;
  return hasTabs ? JSON.stringify(value) : payload;
}

function tellGap({ log }: LogReading, part: LogPart, next: number): void {
  if (next <= part.position + 1) return;
  part.gaps.push(gapBefore(log, part.position, next));
  part.position = next - 1;
}

/** Takes an event into the part. False when the part has no room for the event, or for any other. */
function take(reading: LogReading, part: LogPart, event: StoredEvent): boolean {
  const isWanted = reading.isWanted(event);
  const payload = isWanted ? soundPayload(event, reading) : undefined;
  // The position stays before a damaged event: the next event finds a gap there.
  if (isWanted && payload === undefined && event.payload !== undefined) return true;
  tellGap(reading, part, event.sequence);
  if (!isWanted) {
    part.position = event.sequence;
    return true;
  }
  const json = `${lineHead({ ...event, payload })}${event.sequence}}`;
  const bytes = part.bytes + Buffer.byteLength(json) + BETWEEN.length;
  if (bytes > reading.bytes && part.events.length > 0) return false;
  part.events.push(json);
  part.bytes = bytes;
  part.position = event.sequence;
  return part.events.length < reading.limit;
}

/** Reads until the part is full, the head of the log is reached, or enough of the log was looked at. */
async function readOn(reading: LogReading, part: LogPart): Promise<void> {
  const { log } = reading;
  for (let piece = 0; piece < MOST_PIECES && part.position < log.head(); piece += 1) {
    const { events, through } = await log.read(part.position, PIECE_BYTES);
    if (!events.every((event) => take(reading, part, event))) return;
    tellGap(reading, part, through + 1);
    // Other clients get their turn between two pieces.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The reply, printed by hand: the events are JSON already. */
function replyOf({ log }: LogReading, { events, gaps, position }: LogPart): Outcome {
  const cursor = `"cursor":"${cursorOf(log, position)}","more":${position < log.head()}`;
  const told = gaps.length === 0 ? "" : `,"gaps":${JSON.stringify(gaps)}`;
  return { kind: "receipt", fields: `${cursor}${told},"events":[${events.join(BETWEEN)}]` };
}

async function answer(reading: LogReading, part: LogPart, isBehind: () => boolean): Promise<Outcome> {
  try {
    // A client that does not read its answers gets no events now. It asks again from the same place.
    if (!isBehind()) await readOn(reading, part);
    return replyOf(reading, part);
  } catch (failure) {
    return error(`the log cannot be read: ${String(failure)}`);
  }
}

/** The last reading of each peer. Readings of one peer follow each other, so that their answers do not pile up. */
const LAST = new WeakMap<Peer, Promise<void>>();

export const handleLogRead = handleRequest("log.read", ({ context, peer, request, session }, done) => {
  const { topics = ["**"], limit, bytes, since } = request;
  if (!topics.every(isTopicPattern)) return done(error("topic invalid"));
  const cursor = readCursor(context, since);
  if (cursor.kind === "invalid") return done(error(cursor.error));
  const { log, headAtStart, projections } = context;
  const patterns = topics.map(segmentsOf);
  const isOnTopic = rememberTopics((topic) => patterns.some((pattern) => matchSegments(pattern, topic.split("."))));
  const isWanted = ({ topic, sequence }: StoredEvent): boolean =>
    isOnTopic(topic) && !projections.fence.isIgnored(sequence);
  const { sequence: position } = cursor;
  const gaps: LogGap[] = cursor.gap ? [{ from: since, to: cursorOf(log, position), reason: "epoch" }] : [];
  const part: LogPart = { position, bytes: 0, events: [], gaps };
  const reading = { log, headAtStart, isWanted, limit, bytes };
  const before = LAST.get(peer);
  const inTurn = async (): Promise<void> => {
    await before;
    done(await answer(reading, part, () => session.connection.congested()));
  };
  LAST.set(peer, inTurn());
  return undefined;
});
