import type { BusItem, Observer, Subscription } from "claw-client";
import type { VerbInput, VerbItem, VerbOutput } from "claw-contract";
import { ClawError, LIMITS, OLDEST } from "claw-contract";
import type { Since } from "./read-since.ts";
import { cursorSince, isBefore, readSince } from "./read-since.ts";
import {
  dataOf,
  eventItem,
  eventItemLine,
  GAP_TYPE,
  gapItem,
  gapText,
  isOwnComing,
  noticeItem,
  summaryOf,
} from "./event-items.ts";
import type { PeerNames } from "./event-text/peer-names.ts";
import { createPeerNames } from "./event-text/peer-names.ts";
import type { Ports, VerbStream } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import { keepJson } from "../runtime/known-json.ts";
import { openObserver } from "./open-bus.ts";
import { plural } from "../text/text-layout.ts";
import type { Topics } from "./topic-pattern.ts";
import { readTopics } from "./topic-pattern.ts";
import { endlessAnswer } from "./ask-bus.ts";

type Input = VerbInput<"events">;
type Item = VerbItem<"events">;
type Output = VerbOutput<"events">;

/** With `--follow` and no start, begins now. Otherwise begins at the given place, or at the oldest event. */
async function startOf({ follow }: Input, since: Since | undefined, bus: Observer): Promise<{ from?: string }> {
  if (since !== undefined) return { from: await cursorSince(since, bus) };
  return follow ? {} : { from: OLDEST };
}

/** For people. */
const whence = (since: string | undefined): string => (since === undefined ? "from now on" : `since ${since}`);

interface EventReading {
  readonly bus: Observer;
  readonly subscription: Subscription;
  readonly input: Input;
  readonly topics: Topics;
  readonly since: Since | undefined;
  /** Names of peers, where people read; null where every event is shown whole. */
  readonly names: PeerNames | null;
}

/** Names of the workers that the daemon lists. The names of other peers are learnt from the events. */
async function namesFor(bus: Observer, { format }: Input, { forPeople, verbose }: Ports): Promise<PeerNames | null> {
  if (!forPeople || verbose || format !== "claw") return null;
  const names = createPeerNames();
  const { workers } = await bus.request("worker.list");
  for (const { peer_id: id, name } of workers) names.add(id, name);
  return names;
}

function itemOf(item: BusItem, { bus, input, topics, since, names }: EventReading): Item | undefined {
  if (item.kind === "gap") return gapItem(item, input.format);
  if (item.kind === "caught-up") return undefined;
  names?.learn({ ...item, data: dataOf(item.payload) });
  if (!topics.fits(item.topic) || (item.kind === "notice" && !input.follow)) return undefined;
  if (item.kind === "event" && since?.kind === "time" && isBefore(item, since.ms)) return undefined;
  // A caller that follows from now on does not want to see its own arrival.
  if (since === undefined && input.follow && isOwnComing(item, bus.peerId())) return undefined;
  const shown = item.kind === "notice" ? noticeItem(item, input.format) : eventItem(item, input.format);
  return names === null ? shown : { ...shown, summary: summaryOf(item, names) };
}

/** Yields items in order until the limit is reached or, without `--follow`, until all stored events are read. */
async function* read(reading: EventReading): AsyncGenerator<Item, void, void> {
  const { subscription, input } = reading;
  let left = input.limit ?? Infinity;
  for await (const item of subscription) {
    if (item.kind === "caught-up" && !input.follow) return;
    const shown = itemOf(item, reading);
    if (shown === undefined) continue;
    yield shown;
    if (item.kind !== "gap") left -= 1;
    if (left <= 0) return;
  }
}

const isEvent = (item: Item): boolean => item.type !== ("specversion" in item ? GAP_TYPE : "gap");

/** Room in an answer for everything that is not an event. */
const ANSWER_BYTES = 2048;

/**
 * Whether one more item would make the answer too large. The first item always fits: otherwise no caller gets beyond
 * it.
 */
function isFull(output: { readonly events: readonly Item[]; bytes: number }, json: string, ports: Ports): boolean {
  output.bytes += Buffer.byteLength(json) + 1;
  const tooMany = output.events.length >= LIMITS.listMax || output.bytes > ports.maxAnswerBytes - ANSWER_BYTES;
  return tooMany && output.events.length > 0;
}

const eventsOutput = (events: Item[], count: number, cursor: string | undefined): Output => ({
  events,
  events_count: count,
  resume_cursor: cursor ?? OLDEST,
});

/** Throws when the reading was aborted. The error carries the events read so far, and a hint how to go on. */
function throwIfStopped({ aborted, reason }: AbortSignal, partial: Output): void {
  if (!aborted) return;
  if (!(reason instanceof ClawError)) throw reason;
  const hint = `Go on with --since ${partial.resume_cursor}.`;
  throw new ClawError(reason.code, reason.message, { ...reason.options, hint, partial });
}

/** Gathers items into one answer, as many as the answer may hold. */
async function gather(reading: EventReading, ports: Ports): Promise<Output> {
  const { subscription } = reading;
  const gathered = { events: [] as Item[], bytes: 0 };
  const written: string[] = [];
  keepJson(gathered.events, written);
  let cursor = subscription.cursor();
  for await (const item of read(reading)) {
    const json = JSON.stringify(item);
    if (isFull(gathered, json, ports)) {
      ports.notes.cut();
      ports.notes.warn("ANSWER_TOO_LARGE: there are more events; go on with --since and resume_cursor");
      return eventsOutput(gathered.events, gathered.events.filter(isEvent).length, cursor);
    }
    gathered.events.push(item);
    written.push(json);
    cursor = subscription.cursor();
  }
  return eventsOutput(gathered.events, gathered.events.filter(isEvent).length, subscription.cursor());
}

async function* pass(reading: EventReading): VerbStream<"events"> {
  let count = 0;
  for await (const item of read(reading)) {
    if (isEvent(item)) count += 1;
    yield item;
  }
  return eventsOutput([], count, reading.subscription.cursor());
}

async function* run(input: Input, ports: Ports): VerbStream<"events"> {
  if (input.follow && !ports.streaming && input.limit === undefined) throw endlessAnswer("--follow", ", or a --limit");
  const since = input.since === undefined ? undefined : readSince(input.since, Date.now());
  const topics = readTopics(input.topic);
  const bus = await openObserver(ports);
  try {
    // Asked for first: an interrupt while the answer is awaited must not lose the position to go on from.
    const names = await namesFor(bus, input, ports);
    const subscription = bus.subscribe(topics.pattern, await startOf(input, since, bus));
    await subscription.ready();
    if (input.follow) ports.announce(`Following ${topics.text} ${whence(input.since)}; Ctrl-C ends it.`);
    const reading = { bus, subscription, input, topics, since, names };
    const answer = ports.streaming ? yield* pass(reading) : await gather(reading, ports);
    throwIfStopped(ports.signal, answer);
    return answer;
  } finally {
    await bus.close();
  }
}

export const handler = handle("events", {
  run,
  showItem: (item, paint) => {
    if ("specversion" in item) return JSON.stringify(item);
    return item.type === "gap" ? paint.yellow(gapText(item)) : eventItemLine(item, paint);
  },
  show: ({ events_count, resume_cursor }, paint) =>
    paint.dim(`${plural(events_count, "event")}; go on with --since ${resume_cursor}`),
});
