import type { BusOptions, OpenBus } from "../bus.ts";
import { openBus } from "../bus.ts";
import { createMemoryLog } from "../log/index.ts";
import type { Entrance } from "../transport.ts";
import type { MemoryClient } from "../transports/memory.ts";
import { createMemoryTransport } from "../transports/memory.ts";
import { checkedLog } from "./checked-log.ts";
import { checkedReplies } from "./checked-replies.ts";

export type Frame = Readonly<Record<string, unknown>>;

/** A client that asks and is answered. */
export interface TestClient {
  readonly raw: MemoryClient;
  /** Sends a request and gives its answer. */
  readonly ask: (body: Frame) => Promise<Frame>;
  readonly hello: (body: Frame) => Promise<Frame>;
  readonly frames: () => Frame[];
  readonly pushes: (kind?: string) => Frame[];
}

export interface TestBus extends OpenBus {
  readonly clock: { now: number };
  readonly connect: (entrance?: Entrance) => TestClient;
}

/** Lets commits and catch-ups finish. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function createClient(raw: MemoryClient): TestClient {
  let asked = 0;
  const frames = (): Frame[] => raw.frames.map((frame) => JSON.parse(frame) as Frame);
  const ask = async (body: Frame): Promise<Frame> => {
    const id = `test-${(asked += 1)}`;
    raw.send(JSON.stringify({ id, ...body }));
    await settle();
    return frames().find(({ rid }) => rid === (body["id"] ?? id)) ?? {};
  };
  return {
    raw,
    ask,
    frames,
    hello: (body) => ask({ cmd: "hello", protocol: "claws/2", ...body }),
    pushes: (kind = "message") => frames().filter(({ push }) => push === kind),
  };
}

/** A bus without sockets, on a log of its own unless one is given. Its clock stands still. */
export async function startBus(options: Partial<BusOptions> = {}): Promise<TestBus> {
  const clock = { now: Date.parse("2026-01-01T00:00:00.000Z") };
  let peers = 0;
  let subscriptions = 0;
  const ids = { nextPeer: () => (peers += 1), nextSubscription: () => (subscriptions += 1) };
  const report = (text: string): void => {
    throw new Error(`the bus reported: ${text}`);
  };
  const log = checkedLog(options.log ?? createMemoryLog());
  const { bus: unchecked, context } = openBus({ ids, now: () => clock.now, report, ...options, log });
  const bus = { ...unchecked, accept: checkedReplies(unchecked.accept) };
  await bus.restore();
  const transport = createMemoryTransport();
  await transport.listen(bus.accept);
  return { bus, context, clock, connect: (entrance) => createClient(transport.connect(entrance)) };
}
