import type { WireRole } from "claw-contract";
import type { Placed } from "../routing/home-of-request.ts";
import type { WireRequest } from "../wire/wire.ts";
import type { BusHost, ConnectedPeer } from "./bus-host.ts";
import type { Gated } from "../publish/gates.ts";
import { bothPassed, PASSED } from "../publish/gates.ts";
import type { Belonging } from "../state/belonging.ts";
import type { CommittedEvent, Projection, StoredProjection } from "../state/projection.ts";
import type { RequestHandler } from "../requests/request-handler.ts";

/** An event that is about to be stored, as gates see it. */
export interface GatedEvent {
  readonly topic: string;
  /** Null for a command without a registered schema. */
  readonly schema: string | null;
  /** The payload itself where there is no schema. */
  readonly data: unknown;
  readonly envelope?: unknown;
}

/** A part that the owner of the bus adds. Its state follows from the log alone. */
export interface BusExtension {
  /** Unique. Snapshots keep the extension's memory under this name. */
  readonly name: string;
  /** State of the extension. Every memory takes in an event before any extension reacts to the event. */
  readonly memory?: StoredProjection;
  /** Requests that the extension answers. A handler here replaces the bus's handler of the same name. */
  readonly requests?: readonly RequestHandler[];
  /** Asked before an event of a known schema, or any command, is stored, after the bus's own gates. */
  readonly gate?: (peer: ConnectedPeer, event: GatedEvent) => Gated;
  /**
   * Why a peer may spend no more money; undefined when the peer may. Without a peer id: the limits that hold for all
   * peers.
   */
  readonly overBudget?: (peerId: string | undefined) => string | undefined;
  /** Peer id of the worker whose agent runs in a terminal. A text for this terminal becomes a command to the worker. */
  readonly agentIn?: (terminalId: string) => string | undefined;
  /**
   * Topics of the live events that `react` gets, once each, after their commit. A crash may come between commit and
   * reaction. So `start` must also find, from the memory, every step that is still missing.
   */
  readonly reactsTo?: readonly string[];
  readonly react?: (event: CommittedEvent) => void;
  /**
   * Events that `react` gets in a cluster: the events that concern this machine, as `Belonging` says (the default), or the
   * events of all machines.
   */
  readonly reactsFor?: "this-machine" | "cluster";
  /** Peer id of the worker that a name, or an approval's id, stands for. Asked for requests of other machines' workers. */
  readonly peerOf?: (kind: Named, named: string) => string | undefined;
  /** Chooses the machine that starts a worker, and gives the request for its daemon; undefined for this machine. */
  readonly placeSpawn?: (request: WireRequest, role: WireRole) => Placed | undefined;
  /** Set when `react` needs no log entries of workers. See `Projection.logEntries`. */
  readonly logEntries?: "ignored";
  /** Called once after a start: the state is restored, and no client has been accepted yet. */
  readonly start?: () => void;
  /**
   * Does work that depends on time. Returns when more work is due, in milliseconds; Infinity when no work is waiting.
   */
  readonly checkDue?: () => number;
}

/** What stands for a worker. */
export type Named = "worker" | "approval";

export type ExtendBus = (host: BusHost) => readonly BusExtension[];

/** All extensions together, behind one interface. */
export interface Extensions {
  readonly all: readonly BusExtension[];
  handler(name: unknown): RequestHandler | undefined;
  /** The first gate that refuses decides. Each gate that let the event pass is told whether the event was stored. */
  gate(peer: ConnectedPeer, event: GatedEvent): Gated;
  overBudget(peerId: string | undefined): string | undefined;
  agentIn(terminalId: string): string | undefined;
  peerOf(kind: Named, named: string): string | undefined;
  placeSpawn(request: WireRequest, role: WireRole): Placed | undefined;
  start(): void;
  checkDue(): number;
  memories(): readonly StoredProjection[];
  reactions(): readonly Projection[];
  /** The memory of each extension, by `extension:<name>`. */
  save(): Record<string, unknown>;
  fits(saved: Readonly<Record<string, unknown>>): boolean;
  load(saved: Readonly<Record<string, unknown>>): void;
}

const reactionOf = (
  { reactsTo = [], react, reactsFor = "this-machine", logEntries }: BusExtension,
  { isOurs }: Pick<Belonging, "isOurs">,
): Projection => ({
  patterns: reactsTo,
  ...(logEntries === undefined ? {} : { logEntries }),
  apply: (event) => {
    if (event.live && (reactsFor === "cluster" || isOurs(event))) react?.(event);
  },
});

type Gate = NonNullable<BusExtension["gate"]>;

function passAll(gates: readonly Gate[], peer: ConnectedPeer, event: GatedEvent): Gated {
  let passed = PASSED;
  for (const gate of gates) {
    const gated = gate(peer, event);
    if (gated.kind === "refused") {
      passed.settle(false);
      return gated;
    }
    passed = bothPassed(passed, gated);
  }
  return passed;
}

/** The prefix keeps extensions apart from the bus's own state in a snapshot. */
const extensionKey = ({ name }: BusExtension): string => `extension:${name}`;

export function createExtensions(
  all: readonly BusExtension[],
  belonging: Pick<Belonging, "isOurs"> = { isOurs: () => true },
): Extensions {
  const twice = all.find(({ name }, index) => all.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined) throw new Error(`${twice.name} is added to the bus twice`);
  const handlers = new Map<unknown, RequestHandler>(
    all.flatMap(({ requests = [] }) => requests.map((handler) => [handler.name, handler] as const)),
  );
  const gates = all.flatMap(({ gate }) => gate ?? []);
  const remembering = all.flatMap((each) =>
    each.memory === undefined ? [] : [[extensionKey(each), each.memory] as const],
  );
  return {
    all,
    handler: (name) => handlers.get(name),
    gate: (peer, event) => passAll(gates, peer, event),
    overBudget: (peerId) => all.map((each) => each.overBudget?.(peerId)).find((reason) => reason !== undefined),
    agentIn: (terminalId) => all.map((each) => each.agentIn?.(terminalId)).find((peerId) => peerId !== undefined),
    peerOf: (kind, named) => all.map((each) => each.peerOf?.(kind, named)).find((peerId) => peerId !== undefined),
    placeSpawn: (request, role) =>
      all.map((each) => each.placeSpawn?.(request, role)).find((each) => each !== undefined),
    start: () => all.forEach((each) => each.start?.()),
    checkDue: () => Math.min(Infinity, ...all.map((each) => each.checkDue?.() ?? Infinity)),
    memories: () => remembering.map(([, memory]) => memory),
    reactions: () => all.filter(({ react }) => react !== undefined).map((each) => reactionOf(each, belonging)),
    save: () => Object.fromEntries(remembering.map(([key, memory]) => [key, memory.save()])),
    fits: (saved) => remembering.every(([key]) => Object.hasOwn(saved, key)),
    load: (saved) => remembering.forEach(([key, memory]) => memory.load(saved[key])),
  };
}
