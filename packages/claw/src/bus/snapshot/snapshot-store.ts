import type { Snapshot } from "./snapshot.ts";

/** The log a snapshot has to belong to. */
export interface LogPlace {
  readonly epoch: string;
  /** A snapshot beyond it tells of events that a power cut took away. */
  readonly head: number;
}

/** Keeps what the bus knew, so that a start need not read the whole log and retention takes nothing with it. */
export interface SnapshotStore {
  /**
   * The newest snapshot of that log that is whole; undefined when there is none. What cannot be used is passed over
   * and named to `report`; what lies beyond the head is forgotten for good, since the log will go another way.
   */
  load(place: LogPlace, report: (problem: string) => void): Snapshot | undefined;
  /**
   * Keeps a snapshot beside the one before it; older ones go. Resolves when it would survive a power cut; rejects
   * with a file error when it was not stored. Called again only after that.
   */
  save(snapshot: Snapshot): Promise<void>;
}
