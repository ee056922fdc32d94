import { LIMITS } from "claw-contract";
import type { JetStreamManager } from "@nats-io/jetstream";
import { JetStreamApiError } from "@nats-io/jetstream";
import type { Msg, NatsConnection } from "@nats-io/transport-node";
import { createInbox } from "@nats-io/transport-node";
import type { LogBatch, StoredEvent } from "../../bus/index.ts";
import { unreachable } from "../connection/nats-errors.ts";
import { BATCHES_SINCE, isOlder } from "../connection/server-version.ts";
import { inboxPrefixOf } from "./ordered-feed.ts";
import type { ReceivedMessage } from "./stream-message.ts";
import { toEvent } from "./stream-message.ts";
import type { Subjects } from "./subjects.ts";

const READ_MS = 5000;
/** Messages of a read, from servers that give a single message for each request. */
const SINGLE_READS = 128;
const BATCH_MESSAGES = 512;

export interface ReaderOptions {
  readonly nats: NatsConnection;
  readonly manager: JetStreamManager;
  readonly stream: string;
  readonly subjects: Subjects;
  /** The newest sequence that may be read. */
  readonly head: () => number;
  /** Asks the leader which sequences it has. */
  readonly findBounds: () => Promise<StreamBounds>;
}

/** The sequences of a stream. */
export interface StreamBounds {
  readonly oldest: number;
  readonly newest: number;
}

/** Reads the stream by its sequences. */
export interface StreamReader {
  read(after: number): Promise<LogBatch>;
  /** The stored message with this sequence, asked of the leader; undefined when there is none. */
  find(sequence: number): Promise<(ReceivedMessage & { readonly sequence: number }) | undefined>;
  sequenceAt(time: Date): Promise<number>;
}

/** Whether servers give several messages for one direct read. */
export const readsBatches = (version: string): boolean => !isOlder(version, BATCHES_SINCE);

/** Headers of a message that is read directly. */
const SUBJECT = "Nats-Subject";
const SEQUENCE = "Nats-Sequence";

/**
 * The events up to the first that is missing. Each is read from any replica, and a replica that is behind does not know
 * the newest ones.
 */
function upToHole(events: readonly StoredEvent[], after: number): readonly StoredEvent[] {
  const hole = events.findIndex(({ sequence }, index) => sequence !== after + 1 + index);
  return hole === -1 ? events : events.slice(0, hole);
}

const NOT_FOUND = 404;
const NO_MESSAGE_FOUND = 10_037;

class DirectReader implements StreamReader {
  readonly #options: ReaderOptions;
  readonly #subject: string;
  readonly #isBatched: boolean;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#subject = `$JS.API.DIRECT.GET.${options.stream}`;
    this.#isBatched = readsBatches(options.nats.info?.version ?? "");
  }

  async read(after: number): Promise<LogBatch> {
    const most = this.#options.head();
    if (after >= most) return { events: [], through: after };
    const found = await (this.#isBatched ? this.#readTogether(after, most) : this.#readSingly(after, most));
    const read = upToHole(
      found.filter(({ sequence }) => sequence > after && sequence <= most),
      after,
    );
    const next = read.length === 0 ? await this.#findNext(after) : undefined;
    const events = next === undefined ? read : [next];
    // A jump means that retention removed events: the oldest is another by now.
    if ((events[0]?.sequence ?? 0) > after + 1) await this.#options.findBounds();
    return { events, through: events.at(-1)?.sequence ?? most };
  }

  async find(sequence: number): ReturnType<StreamReader["find"]> {
    const { manager, stream } = this.#options;
    try {
      const message = await manager.streams.getMessage(stream, { seq: sequence });
      if (message === null) return undefined;
      return { subject: message.subject, headers: message.header, data: message.data, sequence: message.seq };
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === NO_MESSAGE_FOUND) return undefined;
      throw error;
    }
  }

  async sequenceAt(time: Date): Promise<number> {
    const limit = time.toISOString();
    const { oldest } = await this.#options.findBounds();
    let before = oldest - 1;
    let [low, high] = [oldest, this.#options.head()];
    while (low <= high) {
      const middle = Math.floor((low + high) / 2);
      const event = await this.#findNext(middle - 1);
      if (event !== undefined && event.tsServer < limit) {
        before = event.sequence;
        low = Math.max(middle, event.sequence) + 1;
      } else high = middle - 1;
    }
    return before;
  }

  #eventOf(message: Msg): StoredEvent {
    const subject = message.headers?.get(SUBJECT) ?? "";
    return toEvent(this.#options.subjects, subject, message, Number(message.headers?.get(SEQUENCE) ?? 0));
  }

  async #readOne(sequence: number): Promise<StoredEvent | undefined> {
    const asked = JSON.stringify({ seq: sequence });
    const message = await this.#options.nats.request(this.#subject, asked, { timeout: READ_MS });
    return message.headers?.has(SEQUENCE) === true ? this.#eventOf(message) : undefined;
  }

  async #readSingly(after: number, most: number): Promise<StoredEvent[]> {
    const count = Math.min(SINGLE_READS, most - after);
    const read = await Promise.all(Array.from({ length: count }, (_, n) => this.#readOne(after + 1 + n)));
    return read.filter((event) => event !== undefined);
  }

  #readTogether(after: number, most: number): Promise<StoredEvent[]> {
    const { nats, stream } = this.#options;
    return new Promise((resolve, reject) => {
      const events: StoredEvent[] = [];
      const inbox = createInbox(inboxPrefixOf(nats));
      const settle = (error?: Error): void => {
        clearTimeout(timer);
        subscription.unsubscribe();
        if (error === undefined) resolve(events);
        else reject(error);
      };
      const timer = setTimeout(() => settle(unreachable(stream, `${stream} cannot be read for now`)), READ_MS);
      const subscription = nats.subscribe(inbox, {
        callback: (error, message) => {
          if (error !== null) return settle(error);
          if (message.headers?.has(SEQUENCE) === true) return void events.push(this.#eventOf(message));
          const code = message.headers?.code ?? 0;
          return settle(code <= NOT_FOUND ? undefined : unreachable(stream, `${stream} cannot be read: ${code}`));
        },
      });
      const batch = Math.min(BATCH_MESSAGES, most - after);
      const asked = JSON.stringify({ seq: after + 1, batch, max_bytes: LIMITS.logReadBytes });
      nats.publish(this.#subject, asked, { reply: inbox });
    });
  }

  /** The first event after a sequence. A replica may be behind; a new leader too, for a moment, but says so. */
  async #findNext(after: number): Promise<StoredEvent | undefined> {
    const { findBounds, head, stream, subjects } = this.#options;
    const most = head();
    const { oldest, newest } = await findBounds();
    if (newest < most) throw unreachable(stream, `${stream} ends at ${newest}, before ${most}, for now`);
    for (let sequence = Math.max(after + 1, oldest); sequence <= most; sequence += 1) {
      const message = await this.find(sequence);
      if (message !== undefined) return toEvent(subjects, message.subject, message, sequence);
    }
    return undefined;
  }
}

export const createStreamReader = (options: ReaderOptions): StreamReader => new DirectReader(options);
