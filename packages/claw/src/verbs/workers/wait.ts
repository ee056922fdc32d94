import type { EventItem, Observer, Subscription } from "claw-client";
import type { VerbInput, VerbOutput } from "claw-contract";
import { ClawError, OLDEST } from "claw-contract";
import type { Since } from "../bus/read-since.ts";
import { cursorSince, isBefore, readSince } from "../bus/read-since.ts";
import { eventItemLine, gapText, isOwnComing, summaryOf, timeOf } from "../bus/event-items.ts";
import { createPeerNames } from "../bus/event-text/peer-names.ts";
import type { Ports } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import type { Topics } from "../bus/topic-pattern.ts";
import { readTopics } from "../bus/topic-pattern.ts";
import { watchBus } from "../bus/ask-bus.ts";

/** Decides whether a payload has what is asked for. */
type EventFilter = (payload: unknown) => boolean;

function valueAt(payload: unknown, path: readonly string[]): unknown {
  let value = payload;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** `data.result=ok`: the text, number or truth at a path. Several must all hold. */
function readFilters(texts: readonly string[]): EventFilter {
  const wanted = texts.map((text) => {
    const equals = text.indexOf("=");
    if (equals > 0) return { path: text.slice(0, equals).split("."), value: text.slice(equals + 1) };
    throw new ClawError("INVALID_FLAG_VALUE", `'${text.slice(0, 200)}' is not a filter`, {
      operation: "parse_arguments",
      target: "--filter",
      hint: "Write path=value, as in data.result=ok.",
    });
  });
  return (payload) =>
    wanted.every(({ path, value }) => {
      const found = valueAt(payload, path);
      return found !== undefined && typeof found !== "object" && String(found) === value;
    });
}

type Input = VerbInput<"wait">;
type Output = VerbOutput<"wait">;

interface Waiting {
  readonly bus: Observer;
  readonly subscription: Subscription;
  readonly topics: Topics;
  readonly fits: EventFilter;
  readonly since: Since | undefined;
}

async function findEvent(waiting: Waiting, { notes }: Ports): Promise<EventItem | undefined> {
  const { bus, subscription, topics, fits, since } = waiting;
  for await (const item of subscription) {
    if (item.kind === "gap") notes.warn(`EVENTS_MISSED: ${gapText(item)}`);
    if (item.kind !== "event" || !topics.fits(item.topic) || isOwnComing(item, bus.peerId())) continue;
    if (since?.kind === "time" && isBefore(item, since.ms)) continue;
    if (fits(item.payload)) return item;
  }
  return undefined;
}

/** Makes the error for a wait without an event. The error names the cursor from which a new wait misses no event. */
function nothingCame({ topics, subscription }: Waiting, { signal }: Ports): ClawError {
  const cursor = subscription.cursor() ?? OLDEST;
  const reason: unknown = signal.aborted ? signal.reason : undefined;
  const why = reason instanceof ClawError ? reason : undefined;
  const message = why?.code === "TIMEOUT" ? `no event on ${topics.text} fitted in time` : why?.message;
  return new ClawError(why?.code ?? "BUS_UNREACHABLE", message ?? "the bus closed before the event came", {
    operation: "wait",
    target: topics.text,
    hint: `Continue to wait with --since ${cursor}, or wait longer with --timeout-seconds.`,
    details: { ...why?.options.details, resume_cursor: cursor },
  });
}

async function waitForEvent({ topic, filter, since: text }: Input, ports: Ports): Promise<Output> {
  const topics = readTopics(topic);
  const since = text === undefined ? undefined : readSince(text, Date.now());
  const fits = readFilters(filter ?? []);
  return watchBus(ports, async (bus) => {
    const start = since === undefined ? {} : { from: await cursorSince(since, bus) };
    const subscription = bus.subscribe(topics.pattern, start);
    const waiting = { bus, subscription, topics, fits, since };
    await subscription.ready();
    ports.announce(`Waiting for ${topics.text}; Ctrl-C ends it.`);
    const item = await findEvent(waiting, ports);
    if (item === undefined) throw nothingCame(waiting, ports);
    const { from, sequence, cursor, payload } = item;
    return { found: true, workers: [], topic: item.topic, from, ts_server: timeOf(item), sequence, cursor, payload };
  });
}

/** Either workers are waited for, or an event. */
function refuseBoth({ workers = [], for: goal, topic, filter, since }: Input): void {
  const ofEvents = Object.entries({ topic, filter, since }).find(([, value]) => value !== undefined)?.[0];
  const flag = workers.length === 0 ? (goal === undefined ? undefined : "for") : ofEvents;
  if (flag === undefined) return;
  const message =
    flag === "for" ? "--for is about workers, and none is named" : `--${flag} is about events, not workers`;
  throw new ClawError("INVALID_FLAG_VALUE", message, {
    operation: "parse_arguments",
    target: `--${flag}`,
    hint: "Name workers, as in claw wait parser lexer, or wait for an event with --topic.",
  });
}

export const handler = handle("wait", {
  run: async (input, ports) => {
    refuseBoth(input);
    const { workers: named = [], for: goal = "complete" } = input;
    if (named.length === 0) return waitForEvent(input, ports);
    const { waitForWorkers } = await import("./wait-for-workers.ts");
    return waitForWorkers({ named, goal }, ports);
  },
  show: (found, paint) => {
    const { workers, topic, from, ts_server, sequence, payload } = found;
    if (topic !== null && from !== null && ts_server !== null && sequence !== null) {
      const event = { topic, from, ts_server, sequence, payload };
      const names = createPeerNames();
      names.learn({ ...event, data: payload });
      return eventItemLine({ ...event, summary: summaryOf(event, names) }, paint);
    }
    return workers.map(({ name, state, reason }) => `${paint.bold(name)}: ${state}, ${reason}`).join("\n");
  },
});
