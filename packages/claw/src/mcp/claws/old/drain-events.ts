import type { LogPart } from "../../../verbs/index.ts";
import { readLog } from "../../../verbs/index.ts";
import { JsonText } from "../../layer/json-text.ts";
import type { ToolPorts } from "../tool-host.ts";
import { readOrWait } from "../tools/read-or-wait.ts";
import { createDrained } from "./drained-events.ts";
import { logHead, placeOf } from "./log-place.ts";
import type { OldHandler } from "./old-tool.ts";

const DEFAULT_MAX = 100;
/** A client that asks for many events at once gets them at once. */
const DRAIN_BYTES = 1024 * 1024;

/** Events that can no longer be read. */
const missing = ({ gaps }: LogPart): number =>
  gaps.reduce((sum, { from, to }) => sum + Math.max(0, placeOf(to).sequence - placeOf(from).sequence), 0);

interface Wanted {
  readonly topic: string[] | undefined;
  readonly since: string;
}

/** Reads events that stand after a place, unparsed: what a daemon sends at once is handed on at once. */
async function readPart({ topic, since }: Wanted, limit: number, ports: ToolPorts) {
  const topics = topic === undefined ? {} : { topics: topic };
  const bus = await ports.seat.join(ports.signal);
  try {
    const part = await readLog(bus, { ...topics, since, limit, bytes: DRAIN_BYTES });
    return { ...part, count: part.events.length };
  } finally {
    await bus.close();
  }
}

/** Events behind an index. An event's index is its place in the log, counted from zero, so that no event moves. */
export const drain: OldHandler<"claws_drain_events"> = async (input, { ports, host }) => {
  const { since_index: index = 0, wait_ms: waitMs = 0, max = DEFAULT_MAX } = input;
  const begun = placeOf((host.old.from ??= await logHead(ports)));
  const since = `${begun.epoch}:${Math.max(index, begun.sequence)}`;
  const topic = host.old.topics.length === 0 ? undefined : [...host.old.topics];
  const part = await readOrWait({ topic, since }, waitMs / 1000, ports, (place) => readPart(place, max, ports));
  const { events, cursor } = part;
  const drained = createDrained();
  // Most parts hold no secret, and one look at a long text is quicker than a look at each event (bench mcp, "1000 events").
  const isClean = host.isClean(part.text, events);
  for (const event of events) drained.add(isClean ? event : host.shownJson(event));
  const [total, dropped] = [drained.last() ?? placeOf(cursor).sequence, missing(part)];
  const list = new JsonText(`[${drained.json()}]`);
  return {
    printed: { events: list, total_received: total, dropped, subscribe_cursor: cursor },
    text: `total_received ${total} dropped ${dropped} subscribe_cursor ${cursor}${drained.lines()}`,
  };
};
