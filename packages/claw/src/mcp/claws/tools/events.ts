import type { VerbOutput } from "claw-contract";
import type { ToolPorts } from "../tool-host.ts";
import { callVerb } from "../call-verb.ts";
import type { ToolHandler } from "../claws-tool.ts";
import { readOrWait } from "./read-or-wait.ts";

const DEFAULT_EVENTS = 50;
/** Bytes of events in one answer. One event is answered in any case. */
const ANSWER_BYTES = 48 * 1024;

type Events = VerbOutput<"events">;
type Item = Events["events"][number];

/** An event that is stored, and the place of which is known. */
interface Stored {
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
}

interface EventPart {
  readonly events: (Item & Stored)[];
  readonly cursor: string;
  readonly more: boolean;
  readonly gaps?: readonly Item[];
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

/** Events after a cursor, and the cursor of the next part. */
export async function readEvents({ topic, since, limit }: Asked, ports: ToolPorts): Promise<EventPart> {
  const { data } = await callVerb("events", { topic, since, limit }, { ...ports, maxAnswerBytes: ANSWER_BYTES });
  const { events, resume_cursor: cursor } = data;
  const gaps = events.filter((item) => !isStored(item));
  return {
    // The same list: its JSON is known.
    events: gaps.length === 0 ? (events as (Item & Stored)[]) : events.filter(isStored),
    cursor,
    more: events.length >= limit || ports.notes.notes().truncated === true,
    ...(gaps.length === 0 ? {} : { gaps }),
  };
}

export const handleEvents: ToolHandler<"claws_events"> = async (input, { ports }) => {
  const { topics, limit = DEFAULT_EVENTS, wait_seconds: seconds = 0 } = input;
  const asked = { topic: topics, since: input.since ?? (await cursorNow(ports)) };
  const read = async (place: typeof asked) => {
    const data = await readEvents({ ...place, limit }, ports);
    return { data, count: data.events.length, cursor: data.cursor };
  };
  const { data } = await readOrWait(asked, seconds, ports, read);
  return { data };
};
