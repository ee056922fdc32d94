import type { EventItem, Observer } from "claw-client";
import type { WorkerView } from "claw-contract";
import { ENDED_STATES, objectOf, OLDEST } from "claw-contract";
import type { PeerNames } from "../../bus/event-text/peer-names.ts";
import { createPeerNames } from "../../bus/event-text/peer-names.ts";
import type { Ports } from "../../runtime/handle.ts";
import { openObserver } from "../../bus/open-bus.ts";
import type { OutputPiece } from "./terminal-output.ts";
import { readTopics } from "../../bus/topic-pattern.ts";
import { elsewhereSource } from "./elsewhere-source.ts";
import { eventEntries } from "./event-entries.ts";
import type { LogItem, LogSource, LogReading } from "./log-source.ts";
import { lineItems } from "./terminal-source.ts";

interface Peer {
  readonly bus: Observer;
  readonly id: string;
  readonly from: number;
  readonly follow: boolean;
  readonly names: PeerNames;
}

type Fits = (view: WorkerView) => boolean;

const viewIn = async (bus: Observer, fits: Fits): Promise<WorkerView | undefined> =>
  (await bus.request("worker.list")).workers.findLast(fits);

/** A worker, and whether it belongs to another machine than the daemon that is asked. */
async function findWorker(bus: Observer, fits: Fits): Promise<{ view: WorkerView; isElsewhere: boolean } | undefined> {
  const { workers, machine } = await bus.request("worker.list");
  const view = workers.findLast(fits);
  return view && { view, isElsewhere: machine !== undefined && (view.machine ?? machine) !== machine };
}

const isEnd = ({ topic, data }: EventItem, id: string): boolean => {
  const { peerId, state } = objectOf(data);
  return topic === "system.worker.state" && peerId === id && ENDED_STATES.has(state as WorkerView["state"]);
};

/**
 * Events that may be about one worker, in order: all stored events and, with `follow`, new events until the worker
 * ends.
 */
async function* eventsOf({ bus, id, from, follow }: Peer): AsyncGenerator<EventItem> {
  const topics = readTopics([`worker.${id}.*`, `cmd.${id}.*`, "system.worker.*", "system.peer.*"]);
  const subscription = bus.subscribe(topics.pattern, { from: OLDEST });
  let isOver = false;
  try {
    for await (const item of subscription) {
      if (item.kind === "caught-up" && (!follow || isOver)) return;
      if (item.kind !== "event" || !topics.fits(item.topic)) continue;
      if (item.topic === `worker.${id}.boot`) isOver = false;
      if (isEnd(item, id)) isOver = true;
      if (item.sequence > from) yield item;
      if (isOver && follow && isEnd(item, id)) {
        const now = await viewIn(bus, ({ peer_id: peerId }) => peerId === id);
        if (now === undefined || ENDED_STATES.has(now.state)) return;
      }
    }
  } finally {
    subscription.close();
  }
}

/** Yields the events, notes how far they were read, and learns the names of peers from them. */
async function* notedEvents(peer: Peer, reading: LogReading): AsyncGenerator<EventItem> {
  for await (const item of eventsOf(peer)) {
    peer.names.learn(item);
    reading.seen(item.sequence - 1, item.sequence);
    yield item;
  }
}

const isAbout = ({ topic, payload }: EventItem, id: string): boolean =>
  topic.includes(`.${id}.`) || objectOf(payload)["peerId"] === id;

async function* rawEvents(peer: Peer, reading: LogReading): AsyncGenerator<OutputPiece> {
  for await (const item of notedEvents(peer, reading)) {
    if (!isAbout(item, peer.id)) continue;
    const { sequence, topic, from, payload } = item;
    yield { offset: sequence, bytes: Buffer.from(`${JSON.stringify({ sequence, topic, from, payload })}\n`) };
  }
}

async function* eventItems(peer: Peer, reading: LogReading): AsyncGenerator<LogItem> {
  for await (const item of notedEvents(peer, reading)) {
    for (const { kind, text } of eventEntries(item, peer.id, (id) => peer.names.of(id))) {
      yield { type: "output", offset: item.sequence, text, kind };
    }
  }
}

/**
 * The log of a worker that another program runs, made from events on the bus. Positions are sequences of events. Of a
 * worker on another machine that claw started, its daemon gives the log.
 * Undefined when no worker has the id or name. Throws DAEMON_NOT_RUNNING.
 */
export async function peerSource(
  { id: word, from, follow }: Pick<Peer, "id" | "from" | "follow">,
  ports: Ports,
): Promise<LogSource | undefined> {
  const bus = await openObserver(ports);
  const found = await findWorker(bus, ({ peer_id: id, name }) => id === word || name === word);
  if (found === undefined) {
    await bus.close();
    return undefined;
  }
  const { view, isElsewhere } = found;
  const peer = { bus, id: view.peer_id, from, follow, names: createPeerNames() };
  const elsewhere = isElsewhere ? await elsewhereSource(bus, view, { from, follow }, ports) : undefined;
  const close = async (): Promise<void> => {
    await elsewhere?.close();
    await bus.close();
  };
  if (elsewhere !== undefined) return { ...elsewhere, close };
  return {
    raw: (reading) => rawEvents(peer, reading),
    items: (reading, raw) => (raw ? lineItems(rawEvents(peer, reading), true) : eventItems(peer, reading)),
    about: async () => {
      const now = await viewIn(bus, ({ peer_id: id }) => id === peer.id);
      const verdict = { state: now?.state ?? null, reason: now?.reason ?? null };
      return { terminal_id: null, worker_id: peer.id, transcript: null, process_log: null, ...verdict };
    },
    close,
  };
}
