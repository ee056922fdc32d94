import type { MomentStore } from "../../../bus/index.ts";
import type { Snapshot } from "../../../bus/snapshot/snapshot-store.ts";

/** Keeps states as text, as the store on disk does. */
export function createMemoryMomentStore(): MomentStore {
  const kept = new Map<number, string>();
  const sequences = (): number[] => [...kept.keys()].toSorted((left, right) => left - right);
  const forget = (isMeant: (sequence: number) => boolean): void => {
    for (const each of sequences().filter(isMeant)) kept.delete(each);
  };
  return {
    sequences,
    hasRoom: () => true,
    load: (sequence, epoch) => {
      const snapshot = JSON.parse(kept.get(sequence) ?? "{}") as Snapshot;
      return snapshot.epoch === epoch ? snapshot : undefined;
    },
    save: (snapshot) => {
      kept.set(snapshot.sequence, JSON.stringify(snapshot));
      return Promise.resolve();
    },
    forgetBefore: (sequence) => forget((each) => each < sequence),
    forgetAfter: (sequence) => forget((each) => each > sequence),
  };
}
