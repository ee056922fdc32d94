/** How far the readers of one durable subscription have come. */
export interface DurableRecord {
  readonly name: string;
  readonly topic: string;
  /** Epoch of the log that `acked` belongs to. */
  readonly epoch: string;
  /** All events up to this sequence are acknowledged. */
  readonly acked: number;
}

/** Keeps durable subscriptions, also while no client reads them. */
export interface DurableStore {
  /** The record being saved, else the record saved last. */
  get(name: string): DurableRecord | undefined;
  count(): number;
  /**
   * Keeps a record. Resolves when the record, or a later record of the same name, would survive a crash. Rejects with a
   * file error when the record was not stored; `get` then gives the earlier record again. Later records win. Saving a
   * record that is stored already writes nothing.
   */
  save(record: DurableRecord): Promise<void>;
}
