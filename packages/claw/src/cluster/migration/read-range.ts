import type { JetStreamManager } from "@nats-io/jetstream";
import type { Msg, NatsConnection } from "@nats-io/transport-node";
import type { StoredEvent } from "../../bus/index.ts";
import { natsError, unreachable } from "../connection/nats-errors.ts";
import type { OrderedFeed } from "../stream-log/ordered-feed.ts";
import { createOrderedFeed } from "../stream-log/ordered-feed.ts";
import { toEvent } from "../stream-log/stream-message.ts";
import type { Subjects } from "../stream-log/subjects.ts";

const AGAIN_MS = 250;
/** Without any event for so long, the stream counts as away. */
const PATIENCE_MS = 30_000;

export interface RangeOptions {
  readonly nats: NatsConnection;
  readonly manager: JetStreamManager;
  readonly stream: string;
  readonly subjects: Subjects;
  /** The sequences that are read: those after `after`, up to the last event of the stream or of the range. */
  readonly after: number;
  readonly through: number;
  /** Takes each event once, in order. May throw, which ends the reading. */
  readonly take: (event: StoredEvent) => void;
  readonly signal: AbortSignal;
}

/** One reading of a range. */
class Reading {
  readonly #options: RangeOptions;
  readonly #feed: OrderedFeed;
  #at: number;
  #movedAt = performance.now();
  #isOver = false;
  #settle: (error?: unknown) => void = () => undefined;

  constructor(options: RangeOptions) {
    this.#options = options;
    this.#at = options.after;
    this.#feed = createOrderedFeed({
      ...options,
      after: () => this.#at,
      take: (message, sequence) => this.#take(message, sequence),
      lost: () => void this.#begin(),
    });
  }

  async run(): Promise<void> {
    const { signal } = this.#options;
    const aborted = (): void => this.#end(signal.reason);
    signal.addEventListener("abort", aborted, { once: true });
    try {
      await new Promise<void>((resolve, reject) => {
        this.#settle = (error) => (error === undefined ? resolve() : reject(error));
        if (signal.aborted) aborted();
        else void this.#begin();
      });
    } finally {
      signal.removeEventListener("abort", aborted);
    }
  }

  #end(error?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#feed.close();
    this.#settle(error);
  }

  #take(message: Msg, sequence: number): void {
    const { through, take, subjects } = this.#options;
    if (this.#isOver) return;
    try {
      if (sequence <= through) take(toEvent(subjects, message.subject, message, sequence));
    } catch (error) {
      return this.#end(error);
    }
    this.#at = sequence;
    this.#movedAt = performance.now();
    if (sequence >= through) this.#end();
  }

  async #begin(): Promise<void> {
    const { stream } = this.#options;
    while (!this.#isOver) {
      const problem = await this.#feed.begin().catch((error: unknown) => natsError("read_log", stream, error));
      if (problem === undefined) return;
      if (!problem.retryable) return this.#end(problem);
      if (performance.now() - this.#movedAt > PATIENCE_MS) {
        return this.#end(unreachable(stream, `${stream} cannot be read`));
      }
      await new Promise((again) => setTimeout(again, AGAIN_MS));
    }
  }
}

/** Reads a range of a stream, whose last sequence holds an event. Rejects with NATS_UNREACHABLE, or as `take` throws. */
export async function readRange(options: RangeOptions): Promise<void> {
  if (options.after < options.through) await new Reading(options).run();
}
