import type { GapItem } from "./bus-item.ts";
import type { LogFrame, Reply } from "./wire-frame.ts";

/** What becomes of a frame: given to the consumer, passed over, or given again with everything after it. */
export type Verdict = "give" | "skip" | "again";

/** How a subscription reads: what it asks the bus for, and what of the answer is for its consumer. */
export interface Reading {
  /** Whether events that this client published are wanted back as they happen. */
  readonly echo: boolean;
  /** Whether it can be taken back while its consumer lags, and made again from where it was. */
  readonly pauses: boolean;
  /** Where it stands; undefined while that is left to the bus. */
  position(): string | undefined;
  /** A connection began when the log stood at `now`; undefined when it began long before, or nobody said. */
  joined(now: string | undefined): void;
  /** What `subscribe` says beside the topic. */
  fields(): Readonly<Record<string, unknown>>;
  /**
   * The bus does not know the place that was reached: its log is another. What is told to the consumer, before it
   * begins anew; undefined when the place was the consumer's own and the refusal is his.
   */
  replaced(): GapItem | undefined;
  /** The bus has accepted it. */
  opened(reply: Reply): void;
  judge(frame: LogFrame): Verdict;
}
