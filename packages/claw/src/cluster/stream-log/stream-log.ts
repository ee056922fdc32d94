import { ClawError } from "claw-contract";
import type { Msg } from "@nats-io/transport-node";
import type { CommitListener, EventLog, Feed, NewEvent } from "../../bus/index.ts";
import { natsError, unreachable } from "../connection/nats-errors.ts";
import { StreamAppends } from "./stream-appends.ts";
import { findStream } from "./find-stream.ts";
import type { StreamMemory } from "./stream-epoch.ts";
import type { FollowerOptions } from "./stream-follower.ts";
import { StreamFollower } from "./stream-follower.ts";
import { toEvent } from "./stream-message.ts";
import type { StreamPlace } from "./stream-place.ts";
import type { StreamBounds, StreamReader } from "./stream-reader.ts";
import { createStreamReader } from "./stream-reader.ts";

/** The log of a cluster, as one machine opens it. */
export interface StreamLog extends EventLog {
  readonly machine: string;
  /** Servers that keep each event. */
  readonly replicas: number;
  /** Whether events can be stored at the moment: NATS is connected, and the feed has caught up. */
  isReady(): boolean;
  /**
   * Resolves with true when the feed has brought a sequence, and with false when the stream ends before it or the log is
   * closed. Rejects with NATS_UNREACHABLE when that cannot be known now.
   */
  reached(sequence: number): Promise<boolean>;
  /**
   * Resolves with true when the feed has brought all that was stored at the time of the call. Resolves with false, and
   * rejects, as `reached` does.
   */
  caughtUp(): Promise<boolean>;
  /** Resolves when the stream is no longer the one that was opened: the log has to be opened anew. */
  readonly lost: Promise<ClawError>;
}

const REMEMBER_MS = 5000;
const CLOSE_MS = 5000;
/** Events of the server that wait while NATS is away. Further ones are refused. */
const SERVER_EVENTS = 10_000;

export interface LogOptions {
  readonly place: StreamPlace;
  readonly start: FollowerOptions["start"];
  readonly memory: StreamMemory;
  /** The number of the lease by which this machine holds its name. Without it, events carry none. */
  readonly number?: (() => number) | undefined;
  /** Called when an event of this daemon counts nowhere, because a later holder of its lease has written. */
  readonly ignored?: (() => void) | undefined;
  readonly lookMs?: number;
}

const formatEpoch = (epoch: number): string => String(epoch).padStart(4, "0");

class ClusterLog implements StreamLog {
  readonly epoch: string;
  readonly machine: string;
  readonly replicas: number;
  readonly lost: Promise<ClawError>;
  readonly #options: LogOptions;
  readonly #reader: StreamReader;
  readonly #follower: StreamFollower;
  readonly #appends: StreamAppends;
  readonly #timer: NodeJS.Timeout;
  #feed: Feed = () => 0;
  #lose: (error: ClawError) => void = () => undefined;
  #closed = false;
  #isReplaced = false;
  #settled: () => void = () => undefined;
  #waiting: (() => void)[] = [];

  constructor(options: LogOptions) {
    const { place, start, lookMs, number = () => 0, ignored = () => undefined } = options;
    const { nats } = place.connection;
    this.#options = options;
    this.epoch = formatEpoch(place.epoch);
    this.machine = place.machine;
    this.replicas = place.replicas;
    this.lost = new Promise((resolve) => (this.#lose = resolve));
    const head = (): number => this.#follower.head;
    const findBounds = (): Promise<StreamBounds> => this.#follower.findBounds();
    this.#reader = createStreamReader({ ...place, nats, head, findBounds });
    this.#appends = new StreamAppends({
      place,
      reader: this.#reader,
      head,
      isReady: () => this.isReady(),
      number,
      ignored,
      settled: () => this.#settled(),
    });
    this.#follower = new StreamFollower({
      place,
      reader: this.#reader,
      start,
      ...(lookMs === undefined ? {} : { lookMs }),
      take: (message, sequence) => this.#take(message, sequence),
      reached: () => this.#appends.resume(),
      replaced: (why) => this.#replaced(why),
    });
    this.#timer = setInterval(() => this.#remember(), REMEMBER_MS).unref();
  }

  isReady(): boolean {
    return this.#follower.isReady;
  }

  head(): number {
    return this.#follower.head;
  }

  oldest(): number {
    return this.#follower.oldest;
  }

  follow(feed: Feed): void {
    this.#feed = feed;
  }

  flush(): void {
    // The client of NATS sends what a turn published at the end of the turn.
  }

  append(event: NewEvent, listener: CommitListener): void {
    const refused = this.#refusal(event);
    if (refused === undefined) this.#appends.add(event, listener);
    else queueMicrotask(() => listener.failed(refused));
  }

  read(after: number): ReturnType<EventLog["read"]> {
    return this.#asked(() => this.#reader.read(after));
  }

  sequenceAt(time: Date): Promise<number> {
    return this.#asked(() => this.#reader.sequenceAt(time));
  }

  reached(sequence: number): Promise<boolean> {
    const { place } = this.#options;
    return this.#asked(async () => {
      if (this.head() >= sequence) return true;
      const { state } = await findStream({ ...place, seen: { ...place, head: sequence } });
      if (state.last_seq < sequence) return false;
      while (this.head() < sequence && !this.#closed && !this.#isReplaced) {
        await new Promise<void>((resolve) => void this.#waiting.push(resolve));
      }
      return this.head() >= sequence;
    });
  }

  caughtUp(): Promise<boolean> {
    const { manager, stream } = this.#options.place;
    return this.#asked(async () => this.reached((await manager.streams.info(stream)).state.last_seq));
  }

  /** Resolves when the feed has reached what was stored at the time of the call. */
  open(): Promise<void> {
    return this.#follower.begin();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#drain();
    this.#appends.failAll(this.#away("the daemon ends before NATS answered"));
    this.#remember();
    clearInterval(this.#timer);
    this.#follower.close();
    this.#appends.close();
    this.#feed = () => 0;
    this.#wake();
  }

  /** Wakes functions that wait for the feed. */
  #wake(): void {
    if (this.#waiting.length > 0) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Waits for what is on its way, as long as NATS is there. */
  async #drain(): Promise<void> {
    const end = performance.now() + CLOSE_MS;
    while (this.#appends.size > 0 && this.isReady() && performance.now() < end) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, CLOSE_MS);
        this.#settled = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  #away(why = "NATS is away"): ClawError {
    return unreachable(this.#options.place.connection.url, why);
  }

  #refusal({ from, topic }: NewEvent): ClawError | undefined {
    if (this.#closed) {
      return new ClawError("FILESYSTEM_ERROR", "the log is closed", { operation: "append", target: topic });
    }
    const mayWait = from === "server" && !this.#isReplaced && this.#appends.size < SERVER_EVENTS;
    return this.isReady() || mayWait ? undefined : this.#away();
  }

  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      throw natsError("read", this.#options.place.stream, error);
    }
  }

  #take(message: Msg, sequence: number): void {
    const event = toEvent(this.#options.place.subjects, message.subject, message, sequence);
    this.#appends.pass({ message, event, take: (own) => this.#feed(event, own) });
    this.#wake();
  }

  #replaced(why: string): void {
    const { stream, report } = this.#options.place;
    report(why);
    this.#isReplaced = true;
    const error = new ClawError("NATS_STREAM_REPLACED", why, { operation: "follow_stream", target: stream });
    this.#appends.failAll(error);
    this.#lose(error);
    this.#wake();
  }

  #remember(): void {
    this.#options.memory.save(this.#follower.seen());
  }
}

/** Opens the log on a stream that was found. Resolves when it knows all that is stored. */
export async function followStream(options: LogOptions): Promise<StreamLog> {
  const log = new ClusterLog(options);
  await log.open();
  return log;
}
