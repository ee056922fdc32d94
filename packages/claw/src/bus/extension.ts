import type { BusContext } from "./bus-context.ts";
import type { Command } from "./commands/command.ts";
import type { Gated } from "./gates.ts";
import type { Peer } from "./peer.ts";
import type { CommittedEvent, Projection, StoredProjection } from "./projection.ts";

/** An event that is about to be stored, as gates see it. */
export interface GatedEvent {
  readonly topic: string;
  /** Null for a command of somebody's own. */
  readonly schema: string | null;
  /** The payload itself where there is no schema. */
  readonly data: unknown;
  readonly envelope?: unknown;
}

/** What whoever owns the bus adds to it. Everything it knows follows from the log. */
export interface BusExtension {
  /** Unique; what it remembers is written down under it. */
  readonly name: string;
  /** What it remembers. Every memory has been told of an event before anybody reacts to it. */
  readonly memory?: StoredProjection;
  /** Commands of the wire that it answers. They stand before the bus's own of the same name. */
  readonly commands?: Readonly<Record<string, Command>>;
  /** Asked before an event of a known schema, or any command, is stored, after the bus's own gates. */
  readonly gate?: (peer: Peer, event: GatedEvent) => Gated;
  /** Why nothing that a peer would spend money on is let through; without a peer, what holds for everybody. */
  readonly overBudget?: (peerId: string | undefined) => string | undefined;
  /** The worker whose agent runs in a terminal: what is to be typed there is a command to that worker. */
  readonly agentIn?: (terminalId: string) => string | undefined;
  /**
   * Told of live events on these topics, once each, after they were committed. A crash may come between the two, so
   * what must follow from an event is also found in `start`, from what the memory says is missing.
   */
  readonly reactsTo?: readonly string[];
  readonly react?: (event: CommittedEvent) => void;
  /** Called once, when everything is known again after a start and nobody has been let in. */
  readonly start?: () => void;
  /** Does what time brings about; says when there is more to do, in milliseconds. Infinity when nothing is waited for. */
  readonly checkDue?: () => number;
}

export type ExtendBus = (context: BusContext) => readonly BusExtension[];

/** All of them, seen as one. */
export interface Extensions {
  readonly all: readonly BusExtension[];
  command(name: unknown): Command | undefined;
  /** Refused by the first that refuses. Those that passed are told when the event was stored, or not. */
  gate(peer: Peer, event: GatedEvent): Gated;
  overBudget(peerId: string | undefined): string | undefined;
  agentIn(terminalId: string): string | undefined;
  start(): void;
  checkDue(): number;
  memories(): readonly StoredProjection[];
  reactions(): readonly Projection[];
  /** What they remember, by name. */
  save(): Record<string, unknown>;
  fits(saved: Readonly<Record<string, unknown>>): boolean;
  load(saved: Readonly<Record<string, unknown>>): void;
}

const reactionOf = ({ reactsTo = [], react }: BusExtension): Projection => ({
  patterns: reactsTo,
  apply: (event) => {
    if (event.live) react?.(event);
  },
});

function passAll(all: readonly BusExtension[], peer: Peer, event: GatedEvent): Gated {
  const settles: ((stored: boolean) => void)[] = [];
  const settle = (stored: boolean): void => settles.forEach((each) => each(stored));
  for (const { gate } of all) {
    const gated = gate?.(peer, event);
    if (gated === undefined) continue;
    if (gated.kind === "passed") settles.push(gated.settle);
    else {
      settle(false);
      return gated;
    }
  }
  return { kind: "passed", settle };
}

/** What the bus's own state is called in a snapshot does not clash with this. */
const keyOf = ({ name }: BusExtension): string => `extension:${name}`;

export function createExtensions(all: readonly BusExtension[]): Extensions {
  const twice = all.find(({ name }, index) => all.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined) throw new Error(`${twice.name} is added to the bus twice`);
  const commands = new Map<unknown, Command>(all.flatMap((each) => Object.entries(each.commands ?? {})));
  const remembering = all.flatMap((each) => (each.memory === undefined ? [] : [[keyOf(each), each.memory] as const]));
  return {
    all,
    command: (name) => commands.get(name),
    gate: (peer, event) => passAll(all, peer, event),
    overBudget: (peerId) => all.map((each) => each.overBudget?.(peerId)).find((reason) => reason !== undefined),
    agentIn: (terminalId) => all.map((each) => each.agentIn?.(terminalId)).find((peerId) => peerId !== undefined),
    start: () => all.forEach((each) => each.start?.()),
    checkDue: () => Math.min(Infinity, ...all.map((each) => each.checkDue?.() ?? Infinity)),
    memories: () => remembering.map(([, memory]) => memory),
    reactions: () => all.filter(({ react }) => react !== undefined).map(reactionOf),
    save: () => Object.fromEntries(remembering.map(([key, memory]) => [key, memory.save()])),
    fits: (saved) => remembering.every(([key]) => Object.hasOwn(saved, key)),
    load: (saved) => remembering.forEach(([key, memory]) => memory.load(saved[key])),
  };
}
