import type { StoredId } from "../recent-ids.ts";

/** What the bus knew when it had been told everything up to a sequence. */
export interface Snapshot {
  /** Of the log the sequence belongs to. */
  readonly epoch: string;
  readonly sequence: number;
  /** What each projection knew, as plain JSON, by its name. */
  readonly state: Readonly<Record<string, unknown>>;
  /** Events whose repetition is recognised. Can be read once. */
  readonly events: Iterable<StoredId>;
}
