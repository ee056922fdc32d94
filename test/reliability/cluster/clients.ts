import type { EventItem, DurableSubscription, Orchestrator, Receipt } from "claw-client";
import { connectOrchestrator } from "claw-client";
import { unixChannel } from "claw-client/node";
import { ClawError } from "claw-contract";
import { onTestFinished } from "vitest";
import type { Machine } from "./machine.ts";

export const TOPIC = "note.count";
/** A durable reader acknowledges so many events at once. */
const ACK_EVERY = 10;

/** What a writer says: its own name and a number that grows. */
interface Said {
  readonly who: string;
  readonly n: number;
}

export const saidIn = ({ payload }: Pick<EventItem, "payload">): string => {
  const { who, n } = (payload as { readonly data: Said }).data;
  return `${who} ${n}`;
};

export function connectTo(machine: Machine, name: string): Orchestrator {
  const client = connectOrchestrator({ channel: unixChannel(machine.socket()), name });
  onTestFinished(() => client.close());
  return client;
}

export interface Writer {
  /** The receipts, by what was said. */
  readonly taken: ReadonlyMap<string, Receipt>;
  /** Resolves with the number of events when each has its receipt. */
  stop(): Promise<number>;
}

/** Writes one event after another, several on their way at once, with a pause after each, until it is told to stop. */
export function startWriter(machine: Machine, pauseMs: number): Writer {
  const client = connectTo(machine, `writer-${machine.name}`);
  const taken = new Map<string, Receipt>();
  const state = { isOver: false };
  let count = 0;
  const lane = async (): Promise<void> => {
    while (!state.isOver) {
      const n = (count += 1);
      taken.set(`${machine.name} ${n}`, await client.publish(TOPIC, { who: machine.name, n }));
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  const lanes = Promise.all([lane(), lane(), lane(), lane()]);
  return {
    taken,
    stop: async () => {
      state.isOver = true;
      await lanes;
      return count;
    },
  };
}

/** Follows all that is said, as a client that was there from the beginning. */
export function startReader(machine: Machine): readonly string[] {
  const events = connectTo(machine, `reader-${machine.name}`).subscribe(TOPIC, { from: "0000:0" });
  const seen: string[] = [];
  void (async () => {
    for await (const item of events) {
      if (item.kind === "gap") seen.push("gap");
      if (item.kind === "event") seen.push(`${item.cursor} ${saidIn(item)}`);
    }
  })();
  return seen;
}

export interface DurableReader {
  /** What readers of the name were given. */
  readonly seen: ReadonlySet<string>;
  /** What came to a reader although the reader, or one before it, had acknowledged it. */
  readonly twice: readonly string[];
  /** Why readers ended before they were told to. */
  readonly ends: readonly string[];
  /** Another reader, on this machine, takes the name over. */
  moveTo(machine: Machine): void;
}

/** Reads under one name, on one machine after another. */
export function startDurableReader(): DurableReader {
  const seen = new Set<string>();
  const twice: string[] = [];
  const ends: string[] = [];
  let acknowledged = 0;
  const read = async (events: DurableSubscription, machine: string): Promise<void> => {
    // A reader that was taken over may have events in hand that its successor acknowledges.
    let own = acknowledged;
    const begun = own;
    for await (const item of events) {
      if (item.kind !== "event") continue;
      const said = saidIn(item);
      if (item.sequence <= own) {
        const since = begun === own ? "before it began" : "itself";
        twice.push(
          `${item.cursor} ${said}: the reader on ${machine} at ${events.cursor()}, ${own} acknowledged ${since}`,
        );
      }
      seen.add(said);
      if (item.sequence % ACK_EVERY !== 0) continue;
      await events.ack(item);
      own = Math.max(own, item.sequence);
      acknowledged = Math.max(acknowledged, own);
    }
  };
  return {
    seen,
    twice,
    ends,
    moveTo: (machine) => {
      const client = connectTo(machine, "audit");
      const events = client.subscribeDurable(TOPIC, { name: "audit", from: "0000:0", ackWaitMs: 2000 });
      // Ends when the next reader takes the name over.
      read(events, machine.name).catch((error: unknown) => {
        ends.push(error instanceof ClawError ? error.code : String(error));
        return client.close();
      });
    },
  };
}
