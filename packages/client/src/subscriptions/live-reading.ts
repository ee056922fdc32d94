import { OLDEST, epochOf } from "claw-contract/client";
import type { GapItem } from "./bus-item.ts";
import type { SubscriptionReading, FrameTreatment } from "./reading.ts";
import type { LogFrame, WireReply } from "../connection/wire-frame.ts";

export interface LiveReadingOptions {
  readonly from: string | undefined;
  /** Where to begin when the connection was lost before the bus told the subscription's start. */
  readonly fallback: string | undefined;
  readonly own: boolean;
  /** Whether to skip the older events of a log that has replaced another log, and read only new events. */
  readonly newOnly: boolean;
  /** Whether a peer id is, or was, the id of this client. */
  readonly isOwn: (peerId: string) => boolean;
}

/** Delivers each event once, in the order of the log, from a cursor or from now on. */
export class LiveReading implements SubscriptionReading {
  readonly echo: boolean;
  readonly pauses = true;
  readonly #options: LiveReadingOptions;
  #position: string | undefined;
  #announces: boolean;
  #wasOpen = false;

  constructor(options: LiveReadingOptions) {
    this.#options = options;
    this.#position = options.from;
    this.#announces = options.from !== undefined;
    this.echo = options.own;
  }

  position(): string | undefined {
    return this.#position;
  }

  joined(now: string | undefined): void {
    if (now === undefined) return;
    this.#position ??= this.#options.fallback ?? now;
    if (this.#options.newOnly && epochOf(this.#position) !== epochOf(now)) this.#position = now;
  }

  fields(): Readonly<Record<string, unknown>> {
    return { fromCursor: this.#position };
  }

  replaced(): GapItem | undefined {
    const from = this.#position;
    if (!this.#wasOpen || from === undefined || from === OLDEST) return undefined;
    this.#position = OLDEST;
    return { kind: "gap", from, to: OLDEST, reason: "epoch" };
  }

  opened({ resumeCursor }: WireReply): void {
    this.#wasOpen = true;
    this.#position ??= String(resumeCursor);
  }

  judge(frame: LogFrame): FrameTreatment {
    if (frame.push === "message") {
      this.#position = frame.cursor;
      return this.echo || !this.#options.isOwn(frame.from) ? "give" : "skip";
    }
    if (frame.push === "gap") this.#position = frame.to;
    if (frame.push !== "caught-up") return "give";
    this.#position = frame.resumeCursor;
    const announced = !this.#announces;
    this.#announces = false;
    return announced ? "skip" : "give";
  }
}
