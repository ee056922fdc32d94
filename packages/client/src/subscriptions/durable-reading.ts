import { CLIENT_LIMITS, epochOf, LIMITS } from "claw-contract";
import type { Acknowledged } from "./acknowledgements.ts";
import type { SubscriptionReading, FrameTreatment } from "./reading.ts";
import type { LogFrame, MessageFrame, WireReply } from "../connection/wire-frame.ts";

export interface DurableReadingOptions {
  readonly name: string;
  readonly from: string | undefined;
  readonly ackWaitMs: number | undefined;
  readonly maxInFlight: number | undefined;
}

/**
 * Delivers events until they are acknowledged. On each connection the bus sends every event after the last
 * acknowledgement; events the consumer already has from an earlier connection are skipped. An event that the bus sends
 * twice on one connection waited too long for its acknowledgement, and is delivered again.
 */
export class DurableReading implements SubscriptionReading {
  readonly echo = false;
  /** The bus sends no more events than may be in flight. */
  readonly pauses = false;
  readonly #options: DurableReadingOptions;
  #position: string | undefined;
  #announces = true;
  #epoch = "";
  /** The highest sequence that arrived on any connection, and the highest on the present connection. */
  #arrived = 0;
  #arrivedHere = 0;
  #acknowledged: Acknowledged | undefined;

  constructor(options: DurableReadingOptions) {
    this.#options = options;
  }

  /** Skips events up to and including `upTo` from now on. Undefined removes the mark: all events are wanted again. */
  acknowledge(upTo: Acknowledged | undefined): void {
    if (upTo !== undefined && this.#isAcknowledged(epochOf(upTo.cursor), upTo.sequence)) return;
    this.#acknowledged = upTo;
  }

  position(): string | undefined {
    return this.#position;
  }

  joined(): void {
    this.#arrivedHere = 0;
  }

  fields(): Readonly<Record<string, unknown>> {
    const { name, from, ackWaitMs, maxInFlight = LIMITS.durableInFlight } = this.#options;
    const inFlight = Math.min(maxInFlight, CLIENT_LIMITS.bufferedEvents);
    return { durable: name, fromCursor: from, ackWaitMs, maxInFlight: inFlight };
  }

  replaced(): undefined {
    return undefined;
  }

  opened({ ackedCursor }: WireReply): void {
    this.#position = String(ackedCursor);
  }

  judge(frame: LogFrame): FrameTreatment {
    if (frame.push === "message") return this.#judgeMessage(frame);
    if (frame.push !== "caught-up") return "give";
    const announced = !this.#announces;
    this.#announces = false;
    return announced ? "skip" : "give";
  }

  #judgeMessage({ cursor, sequence }: MessageFrame): FrameTreatment {
    const epoch = epochOf(cursor);
    if (epoch !== this.#epoch) this.#arrived = 0;
    this.#epoch = epoch;
    const again = sequence <= this.#arrivedHere;
    this.#arrivedHere = sequence;
    if (!again && sequence <= this.#arrived) return "skip";
    if (this.#isAcknowledged(epoch, sequence)) return "skip";
    this.#arrived = sequence;
    return again ? "again" : "give";
  }

  /** Whether an event was sent again although its acknowledgement was already under way. */
  #isAcknowledged(epoch: string, sequence: number): boolean {
    const acknowledged = this.#acknowledged;
    return acknowledged !== undefined && epochOf(acknowledged.cursor) === epoch && sequence <= acknowledged.sequence;
  }
}
