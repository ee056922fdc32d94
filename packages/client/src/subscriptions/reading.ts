import type { GapItem } from "./bus-item.ts";
import type { LogFrame, WireReply } from "../connection/wire-frame.ts";

/** How to treat a frame: give it to the consumer, skip it, or give it again together with all events after it. */
export type FrameTreatment = "give" | "skip" | "again";

/** How a subscription reads: the fields it sends to the bus, and the frames it passes to the consumer. */
export interface SubscriptionReading {
  /** Whether the bus sends this client's own events back as they happen. */
  readonly echo: boolean;
  /** Whether the subscription can be withdrawn while the consumer lags, and opened again from the same position. */
  readonly pauses: boolean;
  /** The cursor this reading has reached; undefined while the bus chooses the start. */
  position(): string | undefined;
  /**
   * A connection began with the log at `now`. Undefined when the connection is older than the subscription, or the bus
   * sent no cursor.
   */
  joined(now: string | undefined): void;
  /** The fields of `subscribe` besides the topic. */
  fields(): Readonly<Record<string, unknown>>;
  /**
   * The bus does not know the reached cursor, because another log has replaced the old one. Returns the gap to report
   * to the consumer before the reading starts again. Returns undefined when the consumer chose the cursor; then the
   * refusal is the consumer's error.
   */
  replaced(): GapItem | undefined;
  /** The bus has accepted the subscription. */
  opened(reply: WireReply): void;
  judge(frame: LogFrame): FrameTreatment;
}
