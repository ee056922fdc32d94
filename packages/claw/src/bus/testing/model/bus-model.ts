import { matchTopic } from "claw-contract";

/** An event as the model knows it; its sequence is its place in the log, counted from 1. */
export interface ModelEvent {
  readonly topic: string;
  readonly from: string;
  /** What the publisher said; undefined for the server's own. */
  readonly text?: string;
}

/** One subscription, as its client has to see it. */
export interface Stream {
  readonly slot: number;
  /** Number of the connection it is on. */
  readonly connection: number;
  readonly id: string;
  readonly pattern: string;
  /** Sequences that are to be pushed, in order. */
  expected: number[];
  open: boolean;
  /** Whether it asked for history, whose end it is told once. */
  readonly historic: boolean;
  /** Whether its client was ever behind, and it may be served from the log unnoticed. */
  lagged: boolean;
  /** While history is on its way, which includes the client's own events. */
  replaying: boolean;
}

/** A durable subscription that somebody reads. */
interface Reader {
  readonly stream: Stream;
  /** Pushed and not acknowledged, with the time of it. */
  waiting: { readonly sequence: number; readonly at: number }[];
  position: number;
}

interface Durable {
  readonly pattern: string;
  acked: number;
  reader: Reader | undefined;
}

export const MAX_IN_FLIGHT = 3;
export const ACK_WAIT_MS = 100;

interface Client {
  readonly peerId: string;
  readonly connection: number;
  congested: boolean;
}

export interface Beginning {
  readonly from: number;
  readonly historic: boolean;
}

export interface DurableBeginning {
  readonly pattern: string;
  /** Where the first reader of a name begins; now, unless it says. */
  readonly from: number | undefined;
}

/** How a stream begins that is told of new events only. */
const LIVE = { open: true, historic: false, lagged: false, replaying: false };

/** The simplest thing that does what the bus promises: one list, and who has seen how much of it. */
export class BusModel {
  readonly log: ModelEvent[] = [];
  readonly streams: Stream[] = [];
  readonly clients = new Map<number, Client>();
  readonly durables = new Map<string, Durable>();
  /** Patterns of peers that name themselves, for when they come back. */
  readonly #kept = new Map<string, readonly { readonly id: string; readonly pattern: string }[]>();
  #now = 0;

  /** Stores an event and says where. */
  append(event: ModelEvent, echo = false): number {
    const sequence = this.log.push(event);
    for (const stream of this.#plain()) {
      const own = this.clients.get(stream.slot)?.peerId === event.from;
      if (matches(stream.pattern, event.topic) && (!own || echo || stream.replaying)) stream.expected.push(sequence);
    }
    this.#pumpAll();
    return sequence;
  }

  /** How many live subscriptions an event reaches; those that are served from the log do not count. */
  audienceOf({ topic, from }: ModelEvent, echo: boolean): { readonly least: number; readonly most: number } {
    const plain = this.#plain().filter(({ slot, pattern }) => {
      const own = this.clients.get(slot)?.peerId === from;
      return matches(pattern, topic) && (!own || echo);
    });
    const readers = [...this.durables.values()].filter(
      ({ pattern, reader }) => matches(pattern, topic) && reader !== undefined,
    );
    const certain = plain.filter(({ lagged }) => !lagged);
    return { least: certain.length, most: plain.length + readers.length };
  }

  join(slot: number, peerId: string, connection: number): void {
    this.clients.set(slot, { peerId, connection, congested: false });
    for (const { id, pattern } of this.#kept.get(peerId) ?? []) {
      this.streams.push({ slot, connection, id, pattern, ...LIVE, expected: [] });
    }
    this.#kept.delete(peerId);
    this.append({ topic: "system.peer.joined", from: "server" });
  }

  /** What a connection had is over; whoever names itself finds its subscriptions again. */
  end(slot: number, received: (stream: Stream) => number): void {
    const peerId = this.clients.get(slot)?.peerId ?? "";
    const own = this.streams.filter((stream) => stream.open && stream.slot === slot);
    const plain = own.filter((stream) => !this.#isDurable(stream));
    const patterns = plain.map(({ id, pattern }) => ({ id, pattern }));
    if (peerId.startsWith("fp_")) this.#kept.set(peerId, patterns);
    for (const stream of own) this.close(stream, received);
    this.clients.delete(slot);
  }

  /** What was not pushed by now will not be. */
  close(stream: Stream, received: (stream: Stream) => number): void {
    stream.open = false;
    stream.expected = stream.expected.slice(0, received(stream));
    for (const durable of this.durables.values()) if (durable.reader?.stream === stream) durable.reader = undefined;
  }

  /** Everything after a place in the log; `historic` when the client named it. */
  subscribe(slot: number, id: string, pattern: string, { from, historic }: Beginning): void {
    const { connection = 0, congested = false } = this.clients.get(slot) ?? {};
    const expected = this.#after(pattern, from);
    this.streams.push({
      slot,
      connection,
      id,
      pattern,
      expected,
      open: true,
      historic,
      lagged: congested,
      replaying: historic && congested,
    });
  }

  attach(slot: number, name: string, id: string, { pattern, from }: DurableBeginning): void {
    const { connection = 0 } = this.clients.get(slot) ?? {};
    const durable = this.durables.get(name) ?? { pattern, acked: from ?? this.log.length, reader: undefined };
    this.durables.set(name, durable);
    if (durable.reader !== undefined) this.close(durable.reader.stream, ({ expected }) => expected.length);
    const stream: Stream = { slot, connection, id, pattern, ...LIVE, expected: [] };
    this.streams.push(stream);
    durable.reader = { stream, waiting: [], position: durable.acked };
    this.#pumpAll();
  }

  ack(name: string, sequence: number): void {
    const durable = this.durables.get(name);
    if (durable?.reader === undefined) return;
    durable.acked = Math.max(durable.acked, sequence);
    const { acked } = durable;
    durable.reader.waiting = durable.reader.waiting.filter((each) => each.sequence > acked);
    this.#pumpAll();
  }

  /** Lets time pass: what waited too long for its acknowledgement is pushed again. */
  advance(ms: number): void {
    this.#now += ms;
    for (const { acked, reader } of this.durables.values()) {
      const [oldest] = reader?.waiting ?? [];
      if (reader === undefined || oldest === undefined || oldest.at + ACK_WAIT_MS > this.#now) continue;
      reader.waiting = [];
      reader.position = acked;
    }
    this.#pumpAll();
  }

  congest(slot: number, on: boolean): void {
    const client = this.clients.get(slot);
    if (client !== undefined) client.congested = on;
    for (const stream of this.streams) {
      if (stream.slot !== slot) continue;
      stream.lagged = true;
      if (!on) stream.replaying = false;
    }
  }

  /** Nobody is connected any more, and what was kept only in memory is gone. */
  crash(received: (stream: Stream) => number): void {
    for (const slot of this.clients.keys()) this.end(slot, received);
    this.#kept.clear();
  }

  hasDurable = (slot: number): boolean =>
    [...this.durables.values()].some(({ reader }) => reader?.stream.slot === slot);

  #isDurable = (stream: Stream): boolean => [...this.durables.values()].some(({ reader }) => reader?.stream === stream);

  #plain = (): Stream[] => this.streams.filter((stream) => stream.open && !this.#isDurable(stream));

  #after(pattern: string, from: number): number[] {
    return this.log.flatMap(({ topic }, index) => (index >= from && matches(pattern, topic) ? [index + 1] : []));
  }

  #pumpAll(): void {
    for (const { acked, reader } of this.durables.values()) {
      if (reader === undefined) continue;
      for (const sequence of this.#after(reader.stream.pattern, Math.max(reader.position, acked))) {
        if (reader.waiting.length >= MAX_IN_FLIGHT) break;
        reader.stream.expected.push(sequence);
        reader.waiting.push({ sequence, at: this.#now });
        reader.position = sequence;
      }
    }
  }
}

const matches = (pattern: string, topic: string): boolean => matchTopic(pattern.replaceAll("+", "*"), topic);
