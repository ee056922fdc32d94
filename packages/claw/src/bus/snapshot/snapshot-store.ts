/** The state of the bus after all events up to a sequence. */
export interface Snapshot {
  /** Epoch of the log that the sequence belongs to. */
  readonly epoch: string;
  readonly sequence: number;
  /** State of each projection, as plain JSON, by name. */
  readonly state: Readonly<Record<string, unknown>>;
  /**
   * Ids of events whose repetition is recognised, packed, in pieces. Can be read once. A piece that was loaded is valid until
   * the next one is read.
   */
  readonly events: Iterable<Uint8Array>;
}

/** The log a snapshot has to belong to. */
export interface LogPlace {
  readonly epoch: string;
  /** A snapshot beyond the head contains events that a power cut removed from the log. */
  readonly head: number;
}

/**
 * Keeps snapshots of the bus's state. With a snapshot, a start need not read the whole log, and retention loses no
 * state.
 */
export interface SnapshotStore {
  /**
   * The newest whole snapshot of the log; undefined when there is none. Unusable snapshots are skipped and reported.
   * Snapshots beyond the head are removed for good, since the log will give their sequences to other events.
   */
  load(place: LogPlace, report: (problem: string) => void): Snapshot | undefined;
  /**
   * Keeps a snapshot beside the one before it; older ones go. Resolves when it would survive a power cut; rejects
   * with a file error when it was not stored. Called again only after that.
   */
  save(snapshot: Snapshot): Promise<void>;
}
