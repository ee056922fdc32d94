import { createBus } from "../../bus.ts";
import { createMemoryDurableStore } from "../../delivery/durable/memory-durable-store.ts";
import type { EventLog } from "../../log/index.ts";
import { createMemorySnapshotStore } from "../../snapshot/memory-snapshot-store.ts";
import { createTokenStore } from "../../access/tokens/index.ts";
import type { MemoryTransport } from "../../transports/memory.ts";
import { createMemoryTransport } from "../../transports/memory.ts";
import type { Frame, Link, World } from "./model-world.ts";

/** Only what will never happen takes that long. */
const PATIENCE_MS = 3000;
const QUIET_TURNS = 8;
const SNAPSHOT_EVENTS = 7;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await turn();
}

/** Frames as they come, each parsed once. */
function linkTo(transport: MemoryTransport): Link {
  const client = transport.connect();
  const frames: Frame[] = [];
  return {
    send: (frame) => client.send(JSON.stringify(frame)),
    frames: () => {
      for (const text of client.frames.slice(frames.length)) frames.push(JSON.parse(text) as Frame);
      return frames;
    },
    congest: (on) => client.congest(on),
    close: () => client.close(),
  };
}

/** The bus within the process; a crash keeps what a disk would keep. */
export async function createMemoryWorld(openLog: (before: EventLog | undefined) => EventLog): Promise<World> {
  const clock = { now: Date.parse("2026-01-01T00:00:00.000Z") };
  const counts = { peers: 0, subscriptions: 0 };
  const kept = {
    now: () => clock.now,
    tokens: createTokenStore(() => clock.now),
    durables: createMemoryDurableStore(),
    snapshotStore: createMemorySnapshotStore(),
    snapshotEvents: SNAPSHOT_EVENTS,
    ids: { nextPeer: () => (counts.peers += 1), nextSubscription: () => (counts.subscriptions += 1) },
    report: (text: string): void => {
      throw new Error(`the bus reported: ${text}`);
    },
  };
  const start = async (log: EventLog) => {
    const bus = createBus({ ...kept, log });
    await bus.restore();
    const transport = createMemoryTransport();
    await transport.listen(bus.accept);
    return { bus, transport, log };
  };
  let running = await start(openLog(undefined));
  return {
    connect: () => Promise.resolve(linkTo(running.transport)),
    advance: (ms) => {
      clock.now += ms;
      running.bus.checkStale();
    },
    crash: async () => {
      running = await start(openLog(running.log));
    },
    head: () => Promise.resolve(running.log.head()),
    until: async (holds) => {
      for (const end = performance.now() + PATIENCE_MS; performance.now() < end && !(await holds());) await turn();
    },
    quiet: () => turns(QUIET_TURNS),
    close: () => running.log.close(),
  };
}
