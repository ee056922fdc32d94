import type { JetStreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { createInbox } from "@nats-io/transport-node";
import { ClawError, parseJson } from "claw-contract";
import type { StoredEvent } from "../../bus/index.ts";
import { refusedByNats, unreachable } from "../connection/nats-errors.ts";
import { inboxPrefixOf } from "../stream-log/ordered-feed.ts";
import { messageIdOf, toMessage } from "../stream-log/stream-message.ts";
import type { Subjects } from "../stream-log/subjects.ts";

/** Messages and bytes that are sent and not yet acknowledged. */
const WINDOW_MESSAGES = 1024;
const WINDOW_BYTES = 4 * 1024 * 1024;
/** Without an answer for so long, the stream is asked how far it is. */
const SILENCE_MS = 3000;
/** Attempts without any progress. */
const TRIES = 10;

/** The sequence before the message is another one than expected. */
const OTHER_SEQUENCE = 10_071;
const NO_LEADER = 503;
const EXPECTED = "Nats-Expected-Last-Sequence";

export interface WriteOptions {
  readonly nats: NatsConnection;
  readonly manager: JetStreamManager;
  readonly stream: string;
  readonly subjects: Subjects;
  readonly machine: string;
  /** Part of the ids of messages, which differ from those of any other copy. */
  readonly copy: string;
  /** Events after a sequence, in order, without holes. */
  readonly events: (after: number) => AsyncIterable<StoredEvent>;
  /** The last sequence to store. */
  readonly through: number;
  /** Called now and then with the sequence that is stored. */
  readonly stored: (sequence: number) => void;
  readonly signal: AbortSignal;
}

const messageId = (copy: string, sequence: number): string => `${copy}-${sequence}`;

interface Answer {
  readonly seq?: number;
  readonly error?: { readonly code?: number; readonly err_code?: number; readonly description?: string };
}

/** One attempt to store the events after a sequence. */
class Run {
  readonly #options: WriteOptions;
  readonly #inbox: string;
  readonly #sent: { readonly sequence: number; readonly bytes: number }[] = [];
  #bytes = 0;
  #wake: () => void = () => undefined;
  /** The newest sequence that is sent, and whether sending it makes sense still. */
  newest: number;
  isBroken = false;
  refusal: ClawError | undefined;
  /** The first sequence that the stream did not take. */
  refused: number | undefined;

  constructor(options: WriteOptions, after: number) {
    this.#options = options;
    this.#inbox = createInbox(inboxPrefixOf(options.nats));
    this.newest = after;
  }

  async go(after: number): Promise<void> {
    const { nats, events, signal } = this.#options;
    const subscription = nats.subscribe(`${this.#inbox}.*`, {
      callback: (error, message) => {
        if (error !== null) return;
        const sequence = Number(message.subject.slice(this.#inbox.length + 1));
        this.#answered(sequence, message.headers?.code ?? 0, message.string());
      },
    });
    try {
      for await (const event of events(after)) {
        while (!this.isBroken && this.#isFull()) await this.#pause();
        if (this.isBroken) return;
        signal.throwIfAborted();
        this.#send(event);
      }
      while (!this.isBroken && this.#sent.length > 0) await this.#pause();
    } finally {
      if (!nats.isClosed()) subscription.unsubscribe();
    }
  }

  #isFull(): boolean {
    return this.#sent.length >= WINDOW_MESSAGES || this.#bytes >= WINDOW_BYTES;
  }

  #send(event: StoredEvent): void {
    const { nats, subjects, machine, copy } = this.#options;
    const { sequence, topic } = event;
    const writer = { ownId: messageId(copy, sequence), number: 0 };
    const { subject, headers, body } = toMessage(event, subjects.of(machine, topic), writer);
    // The stream takes the event at its own sequence or not at all: no event comes twice, and none in between.
    headers.set(EXPECTED, String(sequence - 1));
    nats.publish(subject, body, { headers, reply: `${this.#inbox}.${sequence}` });
    const bytes = body.length + subject.length;
    this.#bytes += bytes;
    this.#sent.push({ sequence, bytes });
    this.newest = sequence;
  }

  #answered(sequence: number, code: number, text: string): void {
    const { seq, error } = (parseJson(text) ?? {}) as Answer;
    if (code === NO_LEADER || error !== undefined || seq === undefined) this.#fail(sequence, error);
    else this.#forget(seq);
    this.#wake();
  }

  /** Answers come in the order of the sequences; an answer that was lost is covered by a later one. */
  #forget(stored: number): void {
    const end = this.#sent.findIndex(({ sequence }) => sequence > stored);
    const done = this.#sent.splice(0, end === -1 ? this.#sent.length : end);
    for (const { bytes } of done) this.#bytes -= bytes;
    this.#options.stored(stored);
  }

  #fail(sequence: number, error: Answer["error"]): void {
    this.isBroken = true;
    this.refused ??= sequence;
    if (error === undefined || error.err_code === OTHER_SEQUENCE || error.code === NO_LEADER) return;
    this.refusal ??= refusedByNats("copy_log", this.#options.stream, error.description ?? "refused");
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.isBroken = true;
        resolve();
      }, SILENCE_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

const usedMeanwhile = (stream: string): ClawError =>
  new ClawError("MIGRATION_TARGET_USED", `another process has put events into ${stream} during the copy`, {
    operation: "copy_log",
    target: stream,
    hint: "Stop the daemons of the cluster, delete the stream, then call again.",
  });

/** Whether the stream has a message with a sequence that is not of this copy. */
async function isForeign({ manager, stream, copy }: WriteOptions, sequence: number): Promise<boolean> {
  const message = await manager.streams.getMessage(stream, { seq: sequence });
  return message !== null && messageIdOf({ ...message, headers: message.header }) !== messageId(copy, sequence);
}

/**
 * Stores events in a stream, each at its own sequence. Resolves when the stream has all of them. Goes on across losses of
 * the connection and of servers. Rejects with NATS_UNREACHABLE, NATS_REFUSED, and MIGRATION_TARGET_USED when another
 * writer is there.
 */
export async function writeEvents(options: WriteOptions): Promise<void> {
  const { manager, stream, through, signal } = options;
  const headOf = async (): Promise<number> => (await manager.streams.info(stream)).state.last_seq;
  let head = await headOf();
  for (let tries = 0; head < through; tries += 1) {
    if (tries === TRIES) throw unreachable(stream, `${stream} does not store events for now`);
    const run = new Run(options, head);
    await run.go(head);
    if (run.refusal !== undefined) throw run.refusal;
    signal.throwIfAborted();
    const now = await headOf().catch(() => head);
    if (now > Math.max(run.newest, head)) throw usedMeanwhile(stream);
    const { refused = Infinity } = run;
    if (refused <= now && (await isForeign(options, refused))) throw usedMeanwhile(stream);
    if (now > head) tries = 0;
    head = now;
  }
  if (head > through) throw usedMeanwhile(stream);
}
