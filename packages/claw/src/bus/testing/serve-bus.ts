import { join } from "node:path";
import { nodeFileSystem } from "../../files/index.ts";
import type { Bus, BusOptions } from "../bus.ts";
import { createBus } from "../bus.ts";
import type { SegmentLogOptions } from "../log/segment-log.ts";
import { openSegmentLog } from "../log/segment-log.ts";
import { createUnixTransport } from "../transports/unix.ts";

interface Served extends Partial<BusOptions> {
  readonly logOptions: Pick<SegmentLogOptions, "durability" | "segmentBytes" | "retainBytes">;
}

/**
 * Serves a bus as a process of its own, to be killed: everything it knows is in the folder. Tells the parent
 * `listening`, and each report.
 */
export async function serveBus(folder: string, { logOptions, ...options }: Served): Promise<void> {
  const log = openSegmentLog(nodeFileSystem, {
    ...logOptions,
    directory: join(folder, "log"),
    retainMs: Infinity,
    mayRemove: (through) => bus.covers(through),
  });
  // Every id given out has an event in the log, so its head is beyond all of them.
  const counts = { peers: log.head(), subscriptions: log.head() };
  const ids = { nextPeer: () => (counts.peers += 1), nextSubscription: () => (counts.subscriptions += 1) };
  const bus: Bus = createBus({ log, ids, now: Date.now, report: (text) => process.send?.(text), ...options });
  await bus.restore();
  await createUnixTransport(join(folder, "claws.sock")).listen(bus.accept);
  process.send?.("listening");
}
