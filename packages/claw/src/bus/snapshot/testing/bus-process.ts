import { join } from "node:path";
import { nodeFileSystem } from "../../../files/index.ts";
import type { Bus } from "../../bus.ts";
import { createBus } from "../../bus.ts";
import { openSegmentLog } from "../../log/index.ts";
import { createUnixTransport } from "../../transports/unix.ts";
import { openSnapshotStore } from "../file-snapshot-store.ts";

/** A bus as a process of its own, to be killed. It takes snapshots all the time and forgets events soon. */
const folder = process.argv[2] ?? "";
const log = openSegmentLog(nodeFileSystem, {
  directory: join(folder, "log"),
  durability: "relaxed",
  segmentBytes: 8 * 1024,
  retainBytes: 32 * 1024,
  retainMs: Infinity,
  mayRemove: (through) => bus.covers(through),
});
const counts = { peers: log.head(), subscriptions: log.head() };
const bus: Bus = createBus({
  log,
  ids: { nextPeer: () => (counts.peers += 1), nextSubscription: () => (counts.subscriptions += 1) },
  now: Date.now,
  snapshotStore: openSnapshotStore(nodeFileSystem, join(folder, "state")),
  snapshotEvents: 5,
  publishRate: 0,
  report: (text) => process.send?.(text),
});

async function main(): Promise<void> {
  await bus.restore();
  await createUnixTransport(join(folder, "claws.sock")).listen(bus.accept);
  process.send?.("listening");
}

void main();
