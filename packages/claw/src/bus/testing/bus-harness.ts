import { expect, onTestFinished } from "vitest";
import type { BusOptions, OpenBus } from "../bus.ts";
import { openBus } from "../bus.ts";
import { createMemoryDurableStore } from "../delivery/durable/memory-durable-store.ts";
import type { EventLog } from "../log/index.ts";
import { createMemoryLog } from "../log/index.ts";
import { createMemorySnapshotStore } from "../snapshot/memory-snapshot-store.ts";
import type { MemoryTerminals } from "../terminals/memory-terminals.ts";
import { createMemoryTerminals } from "../terminals/memory-terminals.ts";
import type { Terminals } from "../terminals/terminals.ts";
import type { MemoryTransport } from "../transports/memory.ts";
import { createMemoryTransport } from "../transports/memory.ts";
import type { Entrance, Transport } from "../transports/transport.ts";
import { checkedLog } from "./checked-log.ts";
import { checkedReplies } from "./checked-replies.ts";
import type { TestClient } from "./test-client.ts";
import { createTestClient } from "./test-client.ts";
import { createWatchedWork } from "./watched-work.ts";

/** A bus in memory whose clock stands still. It fails its test when a reply or an event of the server breaks its schema. */
export interface BusHarness extends OpenBus {
  readonly log: EventLog;
  readonly transport: MemoryTransport;
  readonly terminals: MemoryTerminals;
  readonly clock: { now: number };
  /** Texts that the bus reported to the daemon. The test takes those it expects out; any other fails it. */
  readonly reports: string[];
  readonly connect: (entrance?: Entrance) => TestClient;
  /** Serves the bus on another transport as well, which is closed with the test. */
  listen<Served extends Transport>(transport: Served): Promise<Served>;
  /** Resolves when the bus has no commit, read or snapshot under way and none follows. */
  whenIdle(): Promise<void>;
  /** From now on this bus is told nothing of terminals, as if it had crashed. */
  stop(): void;
  /** A second bus on the same log, as after a crash: nobody is connected, nobody was told. */
  restart(): Promise<BusHarness>;
}

export interface TestBusOptions extends Partial<BusOptions> {
  /** Puts a log of the test before the log of the bus. An event that it holds back does not keep the bus from being idle. */
  readonly alterLog?: (log: EventLog) => EventLog;
}

/** What outlives one run of a bus. */
interface Kept extends Pick<BusOptions, "log" | "ids"> {
  readonly clock: { now: number };
  readonly terminals: MemoryTerminals;
}

const START = Date.parse("2026-01-01T00:00:00.000Z");

export function createNumbers(first = 0): BusOptions["ids"] {
  const counts = { peers: first, subscriptions: first };
  return { nextPeer: () => (counts.peers += 1), nextSubscription: () => (counts.subscriptions += 1) };
}

function collectReports(): { readonly reports: string[]; readonly report: (text: string) => void } {
  const reports: string[] = [];
  onTestFinished(() => expect(reports).toEqual([]));
  return { reports, report: (text) => void reports.push(text) };
}

/** Terminals that can be left: their listeners are then told nothing more. */
function leavable(terminals: Terminals): { readonly followed: Terminals; readonly leave: () => void } {
  let leave = (): void => undefined;
  return {
    followed: { ...terminals, onClosed: (listener) => (leave = terminals.onClosed(listener)) },
    leave: () => leave(),
  };
}

async function startOn(kept: Kept, options: TestBusOptions): Promise<BusHarness> {
  const { clock, terminals, ids } = kept;
  const { alterLog = (log) => log } = options;
  const work = createWatchedWork();
  const { reports, report } = collectReports();
  const { followed, leave } = leavable(terminals);
  const { bus: unchecked, context } = openBus({
    ids,
    now: () => clock.now,
    terminals: followed,
    report,
    ...options,
    log: alterLog(work.log(checkedLog(kept.log))),
    durables: work.durables(options.durables ?? createMemoryDurableStore()),
    snapshotStore: work.snapshotStore(options.snapshotStore ?? createMemorySnapshotStore()),
  });
  const bus = { ...unchecked, accept: checkedReplies(unchecked.accept) };
  await bus.restore();
  const transport = createMemoryTransport();
  await transport.listen(bus.accept);
  return {
    bus,
    context,
    log: kept.log,
    transport,
    terminals,
    clock,
    reports,
    connect: (entrance) => createTestClient(transport.connect(entrance)),
    listen: async (other) => {
      await other.listen(bus.accept);
      onTestFinished(() => other.close());
      return other;
    },
    whenIdle: () => work.whenIdle(),
    stop: leave,
    restart: () => {
      leave();
      return startOn(kept, options);
    },
  };
}

/** Starts a bus on a log of its own, unless one is given. Every part of the bus can be given. */
export const startBus = (options: TestBusOptions = {}): Promise<BusHarness> =>
  startOn(
    {
      log: options.log ?? createMemoryLog(),
      ids: options.ids ?? createNumbers(),
      clock: { now: START },
      terminals: createMemoryTerminals(),
    },
    options,
  );

export type { Frame, Joined, TestClient } from "./test-client.ts";
export { join, pushes, request, told, watch } from "./test-client.ts";
export { settle } from "./watched-work.ts";
