import { randomUUID } from "node:crypto";
import { ClawError } from "claw-contract";
import type { Msg } from "@nats-io/transport-node";
import type { CommitListener, NewEvent, StoredEvent } from "../../bus/index.ts";
import { IGNORED } from "../../bus/index.ts";
import { refusedByNats, unreachable } from "../connection/nats-errors.ts";
import type { Acknowledgement, Acknowledgements } from "./acknowledgements.ts";
import { followAcknowledgements } from "./acknowledgements.ts";
import type { Pending, PendingAppends } from "./pending-appends.ts";
import { createPendingAppends } from "./pending-appends.ts";
import { bodyHashOf, messageIdOf, toMessage, withId } from "./stream-message.ts";
import type { StreamPlace } from "./stream-place.ts";
import type { StreamReader } from "./stream-reader.ts";

/** An event without an acknowledgement for so long is sent again. */
const UNANSWERED_MS = 2000;
const KNOWN_UNCOUNTED = 1000;
/** Code of the failure of an event that counts nowhere. */
const SUPERSEDED = "MACHINE_NAME_TAKEN";

export interface AppendsOptions {
  readonly place: StreamPlace;
  readonly reader: Pick<StreamReader, "find">;
  readonly head: () => number;
  readonly isReady: () => boolean;
  /** The number of the lease by which this machine holds its name. */
  readonly number: () => number;
  /** Called when an event of this daemon counts nowhere. */
  readonly ignored: () => void;
  /** Called when an event is settled. */
  readonly settled: () => void;
}

/** An event of the feed, and the function that passes the event to the bus. */
export interface Passing {
  readonly message: Msg;
  readonly event: StoredEvent;
  /** Takes the event to the state and to subscribers; returns how many got it. */
  readonly take: (own: CommitListener["own"]) => number;
}

/**
 * The events of this machine on their way into the stream. Each is told stored when the feed brings it, whatever became of
 * its acknowledgement. When the stream may have it or not, it is sent again under the same id, which stores it once.
 */
export class StreamAppends {
  readonly #options: AppendsOptions;
  readonly #pending: PendingAppends;
  readonly #acknowledgements: Acknowledgements;
  readonly #writer = randomUUID();
  readonly #timer: NodeJS.Timeout;
  /** Sequences of events that the feed brought and that count nowhere. The oldest are forgotten first. */
  readonly #uncounted = new Set<number>();
  #count = 0;

  constructor(options: AppendsOptions) {
    const { place, isReady } = options;
    this.#options = options;
    this.#acknowledgements = followAcknowledgements(
      place.connection.nats,
      (id, outcome) => void this.#acknowledged(id, outcome),
    );
    this.#pending = createPendingAppends({
      send: (message) => this.#acknowledgements.publish(message),
      maySend: isReady,
    });
    this.#timer = setInterval(() => {
      if (isReady()) this.#pending.sendAgain(performance.now() - UNANSWERED_MS);
    }, UNANSWERED_MS / 2).unref();
  }

  get size(): number {
    return this.#pending.size;
  }

  add(event: NewEvent, listener: CommitListener): void {
    const { place, number } = this.#options;
    const { subjects, machine } = place;
    const by = { ownId: this.#nextId(), number: number() };
    const message = toMessage(event, subjects.of(machine, event.topic), by);
    const open = this.#pending.get(message.id);
    if (open === undefined) return this.#pending.add(message, listener);
    if (open.message.bodyHash === message.bodyHash) {
      const isUnderSame = open.message.lease === message.lease;
      return void open.repeated.push(isUnderSame ? listener : this.#unlessCounted(event, listener));
    }
    return queueMicrotask(() => listener.failed(conflict(message.subject)));
  }

  /** Takes an event of the feed. Tells the listener of a pending append about the event. */
  pass({ message, event, take }: Passing): void {
    const id = messageIdOf(message);
    const pending = this.#pending.get(id);
    const isSame = pending !== undefined && bodyHashOf(message) === pending.message.bodyHash;
    const isOwn = event.machine === this.#options.place.machine;
    const deliveredTo = take(isSame && isOwn ? pending.listener.own : undefined);
    if (deliveredTo === IGNORED) this.#noteUncounted(event.sequence);
    if (pending === undefined) return;
    this.#pending.take(id);
    if (isSame && deliveredTo === IGNORED) this.#ignored(pending, isOwn);
    else if (isSame) this.#tell(pending, { sequence: event.sequence, deliveredTo, duplicate: !isOwn });
    else this.#fail(pending, conflict(message.subject));
  }

  /** Sends everything that no acknowledgement came for. Called when the feed has caught up. */
  resume(): void {
    this.#pending.sendAgain(Infinity);
  }

  failAll(error: ClawError): void {
    for (const pending of this.#pending.clear()) this.#fail(pending, error);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#acknowledgements.close();
  }

  async #acknowledged(id: string, outcome: Acknowledgement): Promise<void> {
    const pending = this.#pending.get(id);
    if (pending === undefined) return undefined;
    if (outcome.kind === "refused") return this.#refused(pending, outcome);
    const { sequence, duplicate } = outcome;
    if (duplicate && sequence <= this.#options.head()) return this.#judge(pending, sequence);
    pending.sequence = sequence;
    return undefined;
  }

  #refused(pending: Pending, { why, isAway }: Extract<Acknowledgement, { kind: "refused" }>): void {
    // A message that was sent twice may be stored by now: only the stream can say.
    if (pending.sent > 1) return;
    const { id, subject } = pending.message;
    this.#pending.take(id);
    const { url } = this.#options.place.connection;
    this.#fail(pending, isAway ? unreachable(url, why) : refusedByNats("append", subject, why));
  }

  /** An earlier message has this id. Its body says whether it is the same event. */
  async #judge(pending: Pending, sequence: number): Promise<void> {
    const { id, subject, bodyHash } = pending.message;
    const stored = await this.#options.reader.find(sequence).catch(() => null);
    // Asked again when the event is sent again.
    if (stored === null || this.#pending.get(id) !== pending) return;
    this.#pending.take(id);
    if (this.#uncounted.has(sequence)) this.#ignored(pending, false);
    else if (stored !== undefined && bodyHashOf(stored) !== bodyHash) this.#fail(pending, conflict(subject));
    else this.#tell(pending, { sequence, deliveredTo: 0, duplicate: true });
  }

  /** Stores an event when the same event, which this daemon wrote under an earlier lease, counts nowhere. */
  #unlessCounted(event: NewEvent, listener: CommitListener): CommitListener {
    return {
      committed: (...receipt) => listener.committed(...receipt),
      failed: (error) => {
        if (error instanceof ClawError && error.code === SUPERSEDED) this.add(event, listener);
        else listener.failed(error);
      },
    };
  }

  #nextId(): string {
    this.#count += 1;
    return `${this.#writer}-${this.#count}`;
  }

  #noteUncounted(sequence: number): void {
    this.#uncounted.add(sequence);
    const [oldest] = this.#uncounted;
    if (this.#uncounted.size > KNOWN_UNCOUNTED && oldest !== undefined) this.#uncounted.delete(oldest);
  }

  /**
   * A later holder of the lease had written before the event that the feed brought. When another daemon stored that event,
   * it has used up the id, and the event of this daemon is stored under another id.
   */
  #ignored(pending: Pending, isOwn: boolean): void {
    if (!isOwn) {
      const { message, listener, repeated } = pending;
      const again = withId(message, this.#nextId());
      this.#pending.add(again, listener);
      this.#pending.get(again.id)?.repeated.push(...repeated);
      return;
    }
    const why = "another daemon has taken the lease under which this daemon wrote";
    const { subject } = pending.message;
    this.#fail(pending, new ClawError(SUPERSEDED, why, { operation: "append", target: subject }));
    this.#options.ignored();
  }

  #tell(
    { listener, repeated }: Pending,
    { sequence, deliveredTo, duplicate }: { sequence: number; deliveredTo: number; duplicate: boolean },
  ): void {
    listener.committed(sequence, deliveredTo, duplicate);
    for (const again of repeated) again.committed(sequence, deliveredTo, true);
    this.#options.settled();
  }

  #fail({ listener, repeated }: Pending, error: ClawError): void {
    for (const each of [listener, ...repeated]) each.failed(error);
    this.#options.settled();
  }
}

const conflict = (target: string): ClawError =>
  new ClawError("PUBLISH_CONFLICT", "duplicate id with another body", { operation: "append", target });
