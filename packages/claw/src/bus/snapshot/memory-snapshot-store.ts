import { bytesOf } from "./snapshot-bytes.ts";
import { readSnapshot, printSnapshot } from "./snapshot-text.ts";
import type { SnapshotStore } from "./snapshot-store.ts";

/** Keeps snapshots as long as its process lives. The twin of the one on disk. */
export function createMemorySnapshotStore(): SnapshotStore {
  let kept: Buffer[] = [];
  return {
    load: ({ epoch, head }, report) => {
      const usable = kept.flatMap((bytes) => {
        const reading = readSnapshot(bytesOf(bytes));
        return reading.kind === "snapshot" ? [{ bytes, snapshot: reading.snapshot }] : [];
      });
      const reachable = usable.filter(({ snapshot }) => snapshot.sequence <= head);
      for (let beyond = usable.length - reachable.length; beyond > 0; beyond -= 1) report("beyond the head of the log");
      kept = reachable.map(({ bytes }) => bytes);
      return reachable.findLast(({ snapshot }) => snapshot.epoch === epoch)?.snapshot;
    },
    save: (snapshot) => {
      kept = [...kept.slice(-1), Buffer.from([...printSnapshot(snapshot)].join(""))];
      return Promise.resolve();
    },
  };
}
