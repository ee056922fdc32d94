import type { EventItem } from "@claw/client";
import { ClawError } from "@claw/contract";
import { readSince } from "./event-cursor.ts";
import { readFilters } from "./event-filter.ts";
import { isBefore } from "./event-items.ts";
import { handle } from "./handle.ts";
import { openObserver } from "./open-bus.ts";
import { readTopicPattern } from "./topic-pattern.ts";

/** Nobody waits for the news that he himself came to wait. */
const isOwnComing = ({ topic, payload }: EventItem, own: string | undefined): boolean =>
  topic === "system.peer.joined" && (payload as { readonly peerId?: unknown }).peerId === own;

export const handler = handle("wait", {
  run: async ({ topic: pattern, filter, since: text }, ports) => {
    const topic = readTopicPattern(pattern);
    const since = text === undefined ? undefined : readSince(text, Date.now());
    const fits = readFilters(filter ?? []);
    const bus = await openObserver(ports);
    try {
      const start = since === undefined ? {} : { from: since.kind === "cursor" ? since.cursor : "0000:0" };
      for await (const item of bus.subscribe(topic, start)) {
        if (item.kind !== "event" || isOwnComing(item, bus.peerId()) || !fits(item.payload)) continue;
        if (since?.kind === "time" && isBefore(item, since.ms)) continue;
        const { from, sequence, cursor, payload } = item;
        return { found: true, topic: item.topic, from, sequence, cursor, payload };
      }
    } finally {
      await bus.close();
    }
    ports.signal.throwIfAborted();
    throw new ClawError("BUS_UNREACHABLE", "the bus ended before the event came", { operation: "wait", target: topic });
  },
  show: ({ topic, sequence, payload }, paint) =>
    `${paint.dim(String(sequence))}  ${paint.cyan(topic)}  ${JSON.stringify(payload)}`,
});
