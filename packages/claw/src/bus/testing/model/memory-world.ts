import type { BusHarness } from "../bus-harness.ts";
import { createNumbers, startBus } from "../bus-harness.ts";
import { createMemoryDurableStore } from "../../delivery/durable/memory-durable-store.ts";
import type { EventLog } from "../../log/index.ts";
import { createMemorySnapshotStore } from "../../snapshot/memory-snapshot-store.ts";
import { createTokenStore } from "../../access/tokens/index.ts";
import type { Frame, Link, World } from "./model-world.ts";

const SNAPSHOT_EVENTS = 7;

/** Frames as they come, each parsed once. */
function linkTo({ transport }: BusHarness): Link {
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
  const kept = {
    now: () => clock.now,
    tokens: createTokenStore(() => clock.now),
    durables: createMemoryDurableStore(),
    snapshotStore: createMemorySnapshotStore(),
    snapshotEvents: SNAPSHOT_EVENTS,
    ids: createNumbers(),
  };
  const start = (log: EventLog): Promise<BusHarness> => startBus({ ...kept, log });
  let running = await start(openLog(undefined));
  return {
    connect: () => Promise.resolve(linkTo(running)),
    advance: (ms) => {
      clock.now += ms;
      running.bus.checkPeers();
    },
    crash: async () => {
      running = await start(openLog(running.log));
    },
    head: () => Promise.resolve(running.log.head()),
    until: () => running.whenIdle(),
    quiet: () => running.whenIdle(),
    close: () => running.log.close(),
  };
}
