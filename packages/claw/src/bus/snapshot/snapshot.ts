import type { StoredId } from "../publish/recent-ids.ts";

/** The state of the bus after all events up to a sequence. */
export interface Snapshot {
  /** Epoch of the log that the sequence belongs to. */
  readonly epoch: string;
  readonly sequence: number;
  /** State of each projection, as plain JSON, by name. */
  readonly state: Readonly<Record<string, unknown>>;
  /** Ids of events whose repetition is recognised. Can be read once. */
  readonly events: Iterable<StoredId>;
}
