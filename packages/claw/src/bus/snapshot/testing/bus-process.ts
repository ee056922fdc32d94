import { join } from "node:path";
import { nodeFileSystem } from "../../../files/index.ts";
import { serveBus } from "../../testing/serve-bus.ts";
import { openSnapshotStore } from "../file-snapshot-store.ts";

const folder = process.argv[2] ?? "";

/** Takes snapshots all the time and forgets events soon. */
void serveBus(folder, {
  logOptions: { durability: "relaxed", segmentBytes: 8 * 1024, retainBytes: 32 * 1024 },
  snapshotStore: openSnapshotStore(nodeFileSystem, join(folder, "state")),
  snapshotEvents: 5,
  publishRate: 0,
});
