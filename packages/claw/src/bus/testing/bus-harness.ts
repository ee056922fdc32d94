import type { BusOptions, OpenBus } from "../bus.ts";
import { openBus } from "../bus.ts";
import type { EventLog } from "../log/index.ts";
import { createMemoryLog } from "../log/index.ts";
import type { MemoryTerminals } from "../memory-terminals.ts";
import { createMemoryTerminals } from "../memory-terminals.ts";
import type { Terminals } from "../terminals.ts";
import type { MemoryClient, MemoryTransport } from "../transports/memory.ts";
import { createMemoryTransport } from "../transports/memory.ts";
import { checkedLog } from "./checked-log.ts";
import { checkedReplies } from "./checked-replies.ts";

export interface BusHarness extends OpenBus {
  readonly log: EventLog;
  readonly transport: MemoryTransport;
  readonly terminals: MemoryTerminals;
  readonly clock: { now: number };
  /** What the bus reported to the daemon. */
  readonly reports: string[];
  /** From now on this bus is told nothing of terminals, as if it had crashed. */
  stop(): void;
  /** A second bus on the same log, as after a crash: nobody is connected, nobody was told. */
  restart(): Promise<BusHarness>;
}

interface Kept {
  readonly log: EventLog;
  readonly clock: { now: number };
  /** They outlive the bus. */
  readonly terminals: MemoryTerminals;
  readonly counts: { peers: number; subscriptions: number };
}

const START = Date.parse("2026-01-01T00:00:00.000Z");

async function startOn(kept: Kept, options: Partial<BusOptions>): Promise<BusHarness> {
  const { log, clock, counts, terminals } = kept;
  const ids = { nextPeer: () => (counts.peers += 1), nextSubscription: () => (counts.subscriptions += 1) };
  const reports: string[] = [];
  const report = (text: string): void => void reports.push(text);
  let unfollow = (): void => undefined;
  const followed: Terminals = {
    ...terminals,
    onClosed: (listener) => (unfollow = terminals.onClosed(listener)),
  };
  const parts = { ids, now: () => clock.now, terminals: followed, report };
  const { bus: unchecked, context } = openBus({ ...parts, ...options, log: checkedLog(log) });
  const bus = { ...unchecked, accept: checkedReplies(unchecked.accept) };
  await bus.restore();
  const transport = createMemoryTransport();
  await transport.listen(bus.accept);
  const stop = (): void => unfollow();
  const restart = (): Promise<BusHarness> => {
    stop();
    return startOn(kept, options);
  };
  return { bus, context, log, transport, terminals, clock, reports, stop, restart };
}

export const startBus = (options: Partial<BusOptions> = {}): Promise<BusHarness> =>
  startOn(
    {
      log: options.log ?? createMemoryLog(),
      clock: { now: START },
      terminals: createMemoryTerminals(),
      counts: { peers: 0, subscriptions: 0 },
    },
    options,
  );

/** Lets commits and catch-ups finish. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

export type Frame = Readonly<Record<string, unknown>>;

const framesOf = (client: MemoryClient): Frame[] => client.frames.map((frame) => JSON.parse(frame) as Frame);

/** Sends a request and returns its answer; an empty frame when none has come yet. */
export async function request(client: MemoryClient, body: Frame): Promise<Frame> {
  const id = client.frames.length + 1000;
  client.send(JSON.stringify({ id, ...body }));
  await settle();
  return framesOf(client).find((frame) => frame["rid"] === id) ?? {};
}

export interface Joined {
  readonly client: MemoryClient;
  readonly id: string;
  readonly reply: Frame;
}

/** Connects a peer; a terminal that it names is opened for it. */
export async function join(harness: BusHarness, role: string, more: Frame = {}): Promise<Joined> {
  if (typeof more["terminalId"] === "string") harness.terminals.add(more["terminalId"]);
  const client = harness.transport.connect();
  const reply = await request(client, { cmd: "hello", protocol: "claws/2", role, peerName: role, ...more });
  return { client, id: String(reply["peerId"]), reply };
}

/** A third connection that is told of certain topics. */
export async function watch(harness: BusHarness, ...topics: string[]): Promise<MemoryClient> {
  const { client } = await join(harness, "observer");
  for (const topic of topics) await request(client, { cmd: "subscribe", topic });
  return client;
}

export const pushes = (client: MemoryClient): Frame[] =>
  framesOf(client).filter((frame) => frame["push"] === "message");

/** Topics and payloads of what was pushed. */
export const told = (client: MemoryClient): [unknown, unknown][] =>
  pushes(client).map(({ topic, payload }) => [topic, payload]);
