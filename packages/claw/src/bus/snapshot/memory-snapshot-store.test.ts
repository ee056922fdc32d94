import { describe } from "vitest";
import { createMemorySnapshotStore } from "./memory-snapshot-store.ts";
import { snapshotStoreConformance } from "./snapshot-store.conformance.ts";

describe("a store of snapshots in memory", () => {
  snapshotStoreConformance(createMemorySnapshotStore);
});
