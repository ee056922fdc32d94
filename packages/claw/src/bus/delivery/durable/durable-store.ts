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
  /** The records saved last. */
  all(): readonly DurableRecord[];
  /**
   * Keeps a record. Resolves when the record, or a later record of the same name, would survive a crash. Rejects with a
   * file error when the record was not stored; `get` then gives the earlier record again. Later records win. Saving a
   * record that is stored already writes nothing.
   */
  save(record: DurableRecord): Promise<void>;
  /**
   * Makes this process the one that serves the readers of a name. Resolves with the newest record, which another process
   * may have saved, or undefined without one. From then on `save` of the process that served them before rejects with
   * `DURABLE_TAKEN_OVER`. Rejects with a retryable error when it cannot be done now. Absent where records belong to one
   * process.
   */
  attach?(name: string): Promise<DurableRecord | undefined>;
  /** Calls back with each name whose readers another process has begun to serve. */
  onTaken?(taken: (name: string) => void): void;
}
