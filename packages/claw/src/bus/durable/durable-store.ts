/** How far the readers of one durable subscription have come. */
export interface DurableRecord {
  readonly name: string;
  readonly topic: string;
  /** Of the log the sequence belongs to. */
  readonly epoch: string;
  /** Everything up to here was acknowledged. */
  readonly acked: number;
}

/** Keeps durable subscriptions while nobody reads them. */
export interface DurableStore {
  /** What is being saved, else what was saved last. */
  get(name: string): DurableRecord | undefined;
  count(): number;
  /**
   * Keeps a record. Resolves when it, or a later one of the same name, would survive a crash; rejects with a file
   * error when it was not stored, and what was there before is there again. Later records win. What is stored
   * already costs nothing.
   */
  save(record: DurableRecord): Promise<void>;
}
