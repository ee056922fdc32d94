import type { VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import type { ToolPorts } from "../tool-host.ts";
import { withTimeLimit } from "../time-limit.ts";
import { callVerb } from "../call-verb.ts";
import type { ToolHandler } from "../claws-tool.ts";

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

/** Waits for the first event, at most for the given time. Resolves with nothing when none came. */
export async function waitForFirst({ topic, since }: Asked, seconds: number, ports: ToolPorts): Promise<void> {
  try {
    const limit = { ms: seconds * 1000, target: "events" };
    await withTimeLimit(ports, limit, (limited) => callVerb("wait", { topic, since }, limited));
  } catch (error) {
    if (!(error instanceof ClawError) || error.code !== "TIMEOUT") throw error;
  }
  ports.signal.throwIfAborted();
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

const readPart = async ({ topic, since, limit }: Asked, ports: ToolPorts): Promise<Events> =>
  (await callVerb("events", { topic, since, limit }, { ...ports, maxAnswerBytes: ANSWER_BYTES })).data;

export const eventsTool: ToolHandler<"claws_events"> = async (input, { ports }) => {
  const { topics, limit = DEFAULT_EVENTS, wait_seconds: seconds = 0 } = input;
  const asked = { topic: topics, since: input.since ?? (await cursorNow(ports)), limit };
  let found = await readPart(asked, ports);
  if (found.events.length === 0 && seconds > 0) {
    await waitForFirst({ ...asked, since: found.resume_cursor }, seconds, ports);
    found = await readPart({ ...asked, since: found.resume_cursor }, ports);
  }
  return { data: partData(found, limit, ports) };
};

/** Events after a cursor, and the cursor of the next part. */
export const readEvents = async (asked: Asked, ports: ToolPorts) =>
  partData(await readPart(asked, ports), asked.limit, ports);

function partData({ events, resume_cursor: cursor }: Events, limit: number, ports: ToolPorts) {
  const gaps = events.filter((item) => !isStored(item));
  return {
    events: events.filter(isStored),
    cursor,
    more: events.length >= limit || ports.notes.notes().truncated === true,
    ...(gaps.length === 0 ? {} : { gaps }),
  };
}
