import { randomUUID } from "node:crypto";
import type { ConsumerConfig, JetStreamManager } from "@nats-io/jetstream";
import type { Msg, NatsConnection, Subscription } from "@nats-io/transport-node";
import { createInbox } from "@nats-io/transport-node";

/** The servers send a sign of life after this silence. */
const HEARTBEAT_MS = 1000;
/** After this silence, the consumer counts as lost. */
const SILENCE_MS = 3 * HEARTBEAT_MS;
/** After this time the servers remove a consumer without a reader. */
const INACTIVE_MS = 30_000;
const NANOS = 1_000_000;

export interface OrderedFeedOptions {
  readonly nats: NatsConnection;
  readonly manager: JetStreamManager;
  readonly stream: string;
  /** The sequence that was taken last. */
  readonly after: () => number;
  /** Takes each message once, in the order of the sequences. */
  readonly take: (message: Msg, sequence: number) => void;
  /** Called when messages may have been lost: begin anew, after the last taken sequence. */
  readonly lost: () => void;
}

/** One ordered consumer. */
export interface OrderedFeed {
  /** Asks for the messages after the last one taken. Rejects with the error of NATS. A feed that runs begins anew. */
  begin(): Promise<void>;
  close(): void;
}

interface Place {
  readonly sequence: number;
  /** The number of the message among those of this consumer, from 1. */
  readonly delivery: number;
}

/** Tokens of the address for acknowledgements: of older servers, and of those that name a domain. */
const SHORT = 9;
const SEQUENCE_AT = 5;
const LONG_SEQUENCE_AT = 7;

function placeOf({ reply = "" }: Msg): Place | undefined {
  const tokens = reply.split(".");
  if (tokens[1] !== "ACK") return undefined;
  const at = tokens.length === SHORT ? SEQUENCE_AT : LONG_SEQUENCE_AT;
  return { sequence: Number(tokens[at]), delivery: Number(tokens[at + 1]) };
}

const CONTROL = 100;

interface Consumer {
  readonly subscription: Subscription;
  readonly name: string;
  /** Number of messages that the consumer has delivered. */
  delivered: number;
}

class ConsumerFeed implements OrderedFeed {
  readonly #options: OrderedFeedOptions;
  #current: Consumer | undefined;
  #heardAt = 0;
  #watch: NodeJS.Timeout | undefined;

  constructor(options: OrderedFeedOptions) {
    this.#options = options;
  }

  async begin(): Promise<void> {
    this.close();
    const { nats, manager, stream, after } = this.#options;
    const name = `claw_${randomUUID()}`;
    const inbox = createInbox(inboxPrefixOf(nats));
    const subscription = nats.subscribe(inbox, {
      callback: (error, message) => {
        if (this.#current?.subscription !== subscription) return undefined;
        return error === null ? this.#receive(this.#current, message) : this.#lose();
      },
    });
    this.#current = { subscription, name, delivered: 0 };
    this.#heardAt = performance.now();
    this.#watch = setInterval(() => {
      if (performance.now() - this.#heardAt > SILENCE_MS) this.#lose();
    }, HEARTBEAT_MS).unref();
    await manager.consumers.add(stream, consumerConfig(name, inbox, after()));
  }

  close(): void {
    clearInterval(this.#watch);
    const { nats, manager, stream } = this.#options;
    const ended = this.#current;
    this.#current = undefined;
    if (ended === undefined || nats.isClosed()) return;
    ended.subscription.unsubscribe();
    manager.consumers.delete(stream, ended.name).catch(() => undefined);
  }

  #lose(): void {
    this.close();
    this.#options.lost();
  }

  #receive(current: Consumer, message: Msg): void {
    this.#heardAt = performance.now();
    const place = placeOf(message);
    if (place === undefined) return this.#control(current, message);
    if (place.delivery !== current.delivered + 1) return this.#lose();
    current.delivered = place.delivery;
    if (place.sequence > this.#options.after()) this.#options.take(message, place.sequence);
    return undefined;
  }

  /** Answers a sign of life, and looks whether it names more messages than came. */
  #control({ delivered }: Consumer, message: Msg): void {
    const { headers } = message;
    const last = headers?.get("Nats-Last-Consumer") ?? "";
    const stalled = headers?.get("Nats-Consumer-Stalled") ?? "";
    if (stalled !== "") this.#options.nats.publish(stalled);
    if (message.reply !== undefined && message.reply !== "") message.respond();
    if ((headers?.code ?? CONTROL) !== CONTROL || (last !== "" && Number(last) !== delivered)) this.#lose();
  }
}

/**
 * Follows a stream by one ordered consumer, which no server remembers: messages come in order and are not acknowledged.
 * A message that is missing between two others, a heartbeat that names a later message, or silence means that messages
 * were lost.
 */
export const createOrderedFeed = (options: OrderedFeedOptions): OrderedFeed => new ConsumerFeed(options);

/** The prefix of inboxes that the connection was opened with; its permissions may fix it. */
export const inboxPrefixOf = (nats: NatsConnection): string =>
  (nats as unknown as { readonly options?: { readonly inboxPrefix?: string } }).options?.inboxPrefix ?? "_INBOX";

const consumerConfig = (name: string, inbox: string, after: number): Partial<ConsumerConfig> => ({
  name,
  deliver_subject: inbox,
  deliver_policy: "by_start_sequence",
  opt_start_seq: after + 1,
  ack_policy: "none",
  max_deliver: 1,
  flow_control: true,
  idle_heartbeat: HEARTBEAT_MS * NANOS,
  inactive_threshold: INACTIVE_MS * NANOS,
  mem_storage: true,
  num_replicas: 1,
});
