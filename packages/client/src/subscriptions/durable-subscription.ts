import { CLIENT_LIMITS, epochOf, REQUEST_LIMITS } from "claw-contract/client";
import { Acknowledgements } from "./acknowledgements.ts";
import type { Timer } from "../platform.ts";
import type { DurableOptions, DurableSubscription } from "./subscription.ts";
import { createReader } from "./wire-subscription.ts";
import type { WireSubscription, WireSubscriptionOptions } from "./wire-subscription.ts";
import type { Acknowledged } from "./acknowledgements.ts";
import type { SubscriptionReading, FrameTreatment } from "./reading.ts";
import type { LogFrame, MessageFrame, WireReply } from "../connection/wire-frame.ts";

interface DurableReadingOptions {
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
class DurableReading implements SubscriptionReading {
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
    const { name, from, ackWaitMs, maxInFlight = REQUEST_LIMITS.durableInFlight } = this.#options;
    const inFlight = Math.min(maxInFlight, CLIENT_LIMITS.bufferedEvents);
    return { durable: name, fromCursor: from, ackWaitMs, maxInFlight: inFlight };
  }

  replaced(): undefined {
    return undefined;
  }

  opened({ ackedCursor }: WireReply): void {
    this.#position = String(ackedCursor);
  }

  /** Whether the bus knew an event as acknowledged when it opened the subscription. */
  wasAcknowledged(sequence: number): boolean {
    const [epoch, acked] = (this.#position ?? "").split(":");
    return epoch === this.#epoch && sequence <= Number(acked);
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

type Start = (options: Omit<WireSubscriptionOptions, "ended">) => WireSubscription;

/** A subscription whose events are acknowledged. */
export function openDurable(
  pattern: string,
  { name, from, ackWaitMs, maxInFlight }: Omit<DurableOptions, "signal">,
  start: Start,
  later: Timer["after"] | undefined,
): DurableSubscription {
  const acks = new Acknowledgements(name, later);
  const reading = new DurableReading({ name, from, ackWaitMs, maxInFlight });
  const wire = start({
    pattern,
    reading,
    opened: (link, subscriptionId) => {
      // Another reader may have acknowledged events that still wait here.
      wire.drop((sequence) => reading.wasAcknowledged(sequence));
      acks.attach(link, subscriptionId);
    },
    closed: (error) => acks.fail(error),
  });
  const reader: DurableSubscription = {
    ...createReader(wire),
    [Symbol.asyncIterator]: () => reader,
    ack: (upTo) => {
      // Copies that came again and wait to be taken are not wanted any more, nor those that are on their way.
      wire.drop((sequence) => sequence <= upTo.sequence);
      reading.acknowledge(upTo);
      const stored = acks.add(upTo);
      stored.catch(() => reading.acknowledge(undefined));
      return stored;
    },
  };
  return reader;
}
