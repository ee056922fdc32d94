import type { BusItem, Subscription } from "@claw/client";
import type { VerbInput, VerbItem, VerbOutput } from "@claw/contract";
import { ClawError, LIMITS } from "@claw/contract";
import type { Since } from "./event-cursor.ts";
import { readSince } from "./event-cursor.ts";
import { eventItem, gapItem, isBefore } from "./event-items.ts";
import type { Ports, VerbStream } from "./handle.ts";
import { handle } from "./handle.ts";
import { openObserver } from "./open-bus.ts";
import { plural } from "./text-layout.ts";
import { readTopicPattern } from "./topic-pattern.ts";

type Input = VerbInput<"events">;
type Item = VerbItem<"events">;

const OLDEST = "0000:0";

/** A stream cannot be one object; a program that follows wants a line for each event. */
function refuseEndlessAnswer({ follow, limit }: Input, { streaming }: Ports): void {
  if (!follow || streaming || limit !== undefined) return;
  throw new ClawError("INVALID_FLAG_VALUE", "--follow never ends, so it cannot be one JSON object", {
    operation: "parse_arguments",
    target: "--output-format",
    hint: "Use --output-format stream-json, or a --limit.",
  });
}

function itemOf(item: BusItem, format: Input["format"], since: Since | undefined): Item | undefined {
  if (item.kind === "gap") return gapItem(item);
  if (item.kind === "caught-up" || (since?.kind === "time" && isBefore(item, since.ms))) return undefined;
  return eventItem(item, format);
}

/** Following without a start begins now; everything else begins at a cursor, at the oldest without one. */
function startOf({ follow }: Input, since: Since | undefined): { from?: string } {
  if (since?.kind === "cursor") return { from: since.cursor };
  return follow && since === undefined ? {} : { from: OLDEST };
}

interface Reading {
  readonly subscription: Subscription;
  readonly input: Input;
  readonly since: Since | undefined;
  readonly limit: number;
}

/** Items in order until there are enough, or, when nobody follows, until what is stored was given. */
async function* read({ subscription, input, since, limit }: Reading): AsyncGenerator<Item, string | undefined, void> {
  let cursor: string | undefined;
  let count = 0;
  for await (const item of subscription) {
    if (item.kind === "caught-up" && !input.follow) break;
    if (item.kind === "event") ({ cursor } = item);
    const shown = itemOf(item, input.format, since);
    if (shown === undefined) continue;
    yield shown;
    count += 1;
    if (count >= limit) break;
  }
  return cursor;
}

/** A reading that was ended from outside says so, and what was read until then. */
function throwIfStopped({ aborted, reason }: AbortSignal, partial: VerbOutput<"events">): void {
  if (!aborted) return;
  if (!(reason instanceof ClawError)) throw reason;
  throw new ClawError(reason.code, reason.message, { ...reason.options, partial });
}

async function* run(input: Input, ports: Ports): VerbStream<"events"> {
  refuseEndlessAnswer(input, ports);
  const since = input.since === undefined ? undefined : readSince(input.since, Date.now());
  const topic = readTopicPattern(input.topic);
  const limit = input.limit ?? (ports.streaming ? Infinity : LIMITS.listMax);
  const start = startOf(input, since);
  const bus = await openObserver(ports);
  try {
    const items = read({ subscription: bus.subscribe(topic, start), input, since, limit });
    const gathered: Item[] = [];
    let count = 0;
    for (;;) {
      const step = await items.next();
      if (step.done) {
        const answer = { events: gathered, events_count: count, resume_cursor: step.value ?? start.from ?? OLDEST };
        throwIfStopped(ports.signal, answer);
        return answer;
      }
      count += 1;
      if (ports.streaming) yield step.value;
      else gathered.push(step.value);
    }
  } finally {
    await bus.close();
  }
}

export const handler = handle("events", {
  run,
  showItem: (item, paint) => {
    if (!("topic" in item)) return JSON.stringify(item);
    const { sequence, topic, from, payload } = item;
    return `${paint.dim(String(sequence).padStart(6))}  ${paint.cyan(String(topic))}  ${paint.dim(String(from))}  ${JSON.stringify(payload)}`;
  },
  show: ({ events_count, resume_cursor }, paint) =>
    paint.dim(`${plural(events_count, "event")}; go on with --since ${resume_cursor}`),
});
