import type { BusItem, EventItem, Subscription } from "claw-client";
import { cursorAt, epochOf } from "claw-contract/client";
import type { PageClient } from "./link.ts";

/** Events before now that the page reads when it opens. */
export const FIRST_EVENTS = 2000;
/** The page takes in the events of this time together, and draws once. */
const BATCH_MS = 40;

/** The place of an event within its log. */
export const sequenceIn = (cursor: string): number => Number(cursor.slice(cursor.indexOf(":") + 1));

/** The cursor so many events before another one, in the same log. */
export const cursorBefore = (cursor: string, count: number): string =>
  cursorAt(epochOf(cursor), sequenceIn(cursor) - count);

export interface FeedTarget {
  /** Events in the order of the log, each once. */
  readonly took: (events: readonly EventItem[]) => void;
  /** The log was replaced, or is too old to be read from where the page stood. */
  readonly gapped: () => void;
}

export interface Feed {
  close(): void;
}

/** Follows the whole log from a cursor on, across reconnections, and hands events over in batches. */
export function followLog(client: PageClient, from: string, { took, gapped }: FeedTarget): Feed {
  const subscription: Subscription = client.subscribe("**", { from, own: true });
  let batch: EventItem[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    timer = undefined;
    const events = batch;
    batch = [];
    took(events);
  };
  const take = (item: BusItem): void => {
    if (item.kind === "gap") {
      batch = [];
      return gapped();
    }
    if (item.kind !== "event") return undefined;
    batch.push(item);
    timer ??= setTimeout(flush, BATCH_MS);
    return undefined;
  };
  const follow = async (): Promise<void> => {
    for await (const item of subscription) take(item);
  };
  // A subscription that the bus refuses ends with the client; the link tells why.
  follow().catch(() => undefined);
  return {
    close: () => {
      if (timer !== undefined) clearTimeout(timer);
      subscription.close();
    },
  };
}

/** Reads stored events of a pattern, oldest first, from a cursor up to a count or to the end of the log. */
export async function readLog(
  client: PageClient,
  { pattern = "**", from, count }: { pattern?: string; from: string; count: number },
): Promise<EventItem[]> {
  const subscription = client.subscribe(pattern, { from, own: true });
  const found: EventItem[] = [];
  for await (const item of subscription) {
    if (item.kind === "caught-up") break;
    if (item.kind === "event") found.push(item);
    if (found.length >= count) break;
  }
  return found;
}
