import { LIMITS } from "@claw/contract";
import type { AccessOptions } from "./access/access.ts";
import { createAccess } from "./access/access.ts";
import type { BusContext } from "./bus-context.ts";
import type { BusHost } from "./extension/bus-host.ts";
import { createBusHost } from "./extension/bus-host.ts";
import type { PartOptions } from "./bus-parts.ts";
import { createParts } from "./bus-parts.ts";
import { createClientHandler } from "./client-handler.ts";
import { followTerminals, reconcileTerminals } from "./terminals/closed-terminals.ts";
import { createDedupe } from "./publish/dedupe.ts";
import { checkDue } from "./peers/due.ts";
import type { DurableStore } from "./delivery/durable/durable-store.ts";
import { createDurables, redeliver } from "./delivery/durable/durables.ts";
import { createMemoryDurableStore } from "./delivery/durable/memory-durable-store.ts";
import type { ExtendBus } from "./extension/extension.ts";
import { createExtensions } from "./extension/extension.ts";
import { createFanout } from "./delivery/fanout.ts";
import { knownWorker } from "./publish/gates.ts";
import { createHeartbeat } from "./peers/heartbeat.ts";
import type { EventLog } from "./log/index.ts";
import type { Peer } from "./peers/peer.ts";
import { hasEnded } from "./peers/peer.ts";
import type { Projection } from "./state/projection.ts";
import { createProjections } from "./state/projection.ts";
import { publisherOf } from "./publish/publisher.ts";
import type { Notice } from "./delivery/push-live.ts";
import { createRates } from "./publish/rates.ts";
import { createReactions } from "./state/reactions.ts";
import { createResumeTokens } from "./access/resume.ts";
import { captureState, restoreState } from "./snapshot/restore.ts";
import type { SnapshotsOptions } from "./snapshot/snapshots.ts";
import { createSnapshots } from "./snapshot/snapshots.ts";
import type { BusState } from "./state/bus-state.ts";
import { projectionsOf } from "./state/bus-state.ts";
import { publishSystem } from "./publish/system-events.ts";
import type { TokenStore } from "./access/tokens/index.ts";
import { createTokenStore } from "./access/tokens/index.ts";
import type { TopicPlan } from "./publish/topic-plan.ts";
import { createTopicPlans } from "./publish/topic-plan.ts";
import type { Accept } from "./transports/transport.ts";

export interface BusOptions extends PartOptions, Omit<SnapshotsOptions, "capture"> {
  readonly log: EventLog;
  /**
   * Give numbers never used before, by this or an earlier process. Where a function is absent, numbers continue from
   * the log.
   */
  readonly ids: {
    nextPeer(): number;
    nextSubscription(): number;
    nextTask?(): number;
    nextPipeline?(): number;
    nextTerminal?(): number;
  };
  readonly publishRate?: number;
  /** Without it, tokens and resume tokens die with the process. */
  readonly tokens?: TokenStore;
  /** Whether local clients must prove their role by a token or a signed hello. Network clients always must. */
  readonly access?: Pick<AccessOptions, "requireToken" | "signedHello">;
  /** Without it, durable subscriptions die with the process. */
  readonly durables?: DurableStore;
  /** Called with every heartbeat notice, which the bus pushes without storing it in the log. */
  readonly noticed?: (notice: Notice) => void;
  /** Makes the extensions of the bus. Called once, before the bus has restored its state. */
  readonly extend?: ExtendBus;
}

export interface Bus {
  /** Takes a client in. */
  readonly accept: Accept;
  /**
   * Does the work that depends on time: marks workers that were silent too long, hangs up on clients with expired
   * tokens, redelivers unacknowledged events. The owner of the clock calls this function soon after any change, and at
   * the latest at the time the last call returned. Times are in milliseconds; Infinity means that no work is waiting.
   */
  checkStale(): number;
  /**
   * Ends what has run out of time: calls, tasks, waits for peers to come back, silences in waves. Called like
   * `checkStale`; how late a call's timeout is noticed depends on how often.
   */
  checkDue(): number;
  /**
   * Tells the bus that the process slept and heard no peer meanwhile. Every peer's silence counts from now on at the
   * earliest.
   */
  wake(): void;
  /**
   * Takes in the newest snapshot and what the log tells after it. Resolves when the bus knows what it knew before a
   * restart; called before `accept`.
   */
  restore(): Promise<void>;
  /** Whether the log may lose events up to a sequence. When not, a snapshot is taken soon: ask again later. */
  covers(sequence: number): boolean;
  /** Stores a snapshot of the state, which makes the next start quick. Called after the last publish. Never fails. */
  save(): Promise<void>;
  /** The highest peer and terminal numbers in the log, 0 without any. Known once `restore` has resolved. */
  highestNumbers(): { readonly peer: number; readonly terminal: number };
  /**
   * The sequence after which a peer's `**` subscription follows all events; null without one, undefined when the peer
   * is gone.
   */
  followsAfter(peerId: string): number | null | undefined;
  readonly host: BusHost;
}

/** A bus together with its inside, for the tests of the bus. */
export interface OpenBus {
  readonly bus: Bus;
  readonly context: BusContext;
}

const hex = (number: number, width: number): string => number.toString(16).padStart(width, "0");

type Ids = Pick<BusContext, "nextPeerId" | "nextSubscriptionId" | "nextTaskId" | "nextPipelineId" | "nextTerminalId">;

const createIds = ({ ids }: BusOptions, { tasks, pipelines, terminals }: BusState): Ids => ({
  nextTerminalId: () => String(ids.nextTerminal?.() ?? terminals.issue()),
  nextPeerId: () => `p_${hex(ids.nextPeer(), 6)}`,
  nextSubscriptionId: () => `s_${hex(ids.nextSubscription(), 4)}`,
  nextTaskId: () => `t_${String(ids.nextTask?.() ?? tasks.issue()).padStart(3, "0")}`,
  nextPipelineId: () => `pipe_${String(ids.nextPipeline?.() ?? pipelines.issue()).padStart(4, "0")}`,
});

/** The order matters: every projection takes in an event before any reaction to the event runs. */
const everyProjection = (context: BusContext): Projection[] => [
  ...projectionsOf(context.state),
  ...context.extensions.memories(),
  ...createReactions(context),
  ...context.extensions.reactions(),
];

function createContext(options: BusOptions): { context: BusContext; host: BusHost } {
  const { log, now, publishRate = LIMITS.publishRate, report, tokens = createTokenStore(now) } = options;
  const plans = new WeakMap<Peer, (topic: string) => TopicPlan>();
  const parts = createParts(options);
  const { state, policy } = parts;
  let extensions = createExtensions([]);
  const context: BusContext = {
    ...parts,
    get extensions() {
      return extensions;
    },
    log,
    fanout: createFanout(),
    dedupe: createDedupe(),
    access: createAccess({ tokens, now, ...options.access }),
    resume: createResumeTokens(tokens.secret, now),
    durables: createDurables(options.durables ?? createMemoryDurableStore()),
    projections: createProjections(
      () => everyProjection(context),
      ({ payload }) => context.snapshots.note(payload?.length ?? 0),
    ),
    snapshots: createSnapshots({ ...options, capture: () => captureState(context) }),
    peers: new Map(),
    now,
    timestamp: createTimestamps(now),
    planOf: (peer, topic) => {
      const known = plans.get(peer);
      if (known !== undefined) return known(topic);
      const made = createTopicPlans(() => publisherOf(context, peer), policy);
      plans.set(peer, made);
      return made(topic);
    },
    forgetPlans: (peerId) => {
      const peer = context.peers.get(peerId);
      if (peer !== undefined) plans.delete(peer);
    },
    rates: createRates(publishRate, now),
    ...createIds(options, state),
    report,
  };
  const host = createBusHost(context);
  extensions = createExtensions(options.extend?.(host) ?? []);
  return { context, host };
}

/** ISO times; one text serves a whole millisecond. */
function createTimestamps(now: () => number): () => string {
  let at = Number.NaN;
  let text = "";
  return () => {
    const ms = now();
    if (ms !== at) {
      at = ms;
      text = new Date(ms).toISOString();
    }
    return text;
  };
}

export const createBus = (options: BusOptions): Bus => openBus(options).bus;

export function openBus(options: BusOptions): OpenBus {
  const { context, host } = createContext(options);
  const heartbeat = createHeartbeat(context, options.noticed ?? (() => undefined));
  followTerminals(context);
  const { presence, terminals } = context.state;
  const bus: Bus = {
    host,
    accept: (connection, entrance) => createClientHandler(context, connection, entrance),
    checkStale: () => Math.min(markStale(context), context.access.expire(), redeliver(context)),
    checkDue: () => Math.min(checkDue(context), heartbeat.check(), context.extensions.checkDue()),
    wake: () => void (context.listening.since = context.now()),
    covers: (sequence) => context.snapshots.covers(sequence),
    save: () => context.snapshots.save(),
    highestNumbers: () => ({ peer: presence.highest(), terminal: terminals.highest() }),
    followsAfter: (peerId) => followsAfter(context, peerId),
    restore: async () => {
      await restoreState(context);
      for (const [peerId, role] of context.state.presence.present()) context.missing.set(peerId, role);
      if (options.terminals !== undefined) reconcileTerminals(context);
      context.extensions.start();
    },
  };
  return { bus, context };
}

function followsAfter({ peers }: BusContext, peerId: string): number | null | undefined {
  const peer = peers.get(peerId);
  if (peer === undefined) return undefined;
  const all = [...peer.subscriptions.values()].find(({ pattern }) => pattern.join(".") === "**");
  return all?.since ?? null;
}

/** Publishes `system.peer.stale` once for each silence of a worker. Returns when the next worker will be stale. */
function markStale(context: BusContext): number {
  let next = Infinity;
  for (const peer of context.peers.values()) {
    if (peer.role !== "worker" || peer.stale || hasEnded(knownWorker(context, peer))) continue;
    const heardAt = Math.max(peer.lastSeen, context.listening.since);
    const silentMs = context.now() - heardAt;
    if (silentMs > LIMITS.staleMs) tellStale(context, peer, silentMs);
    else next = Math.min(next, heardAt + LIMITS.staleMs + 1);
  }
  return next;
}

function tellStale(context: BusContext, peer: Peer, silentMs: number): void {
  peer.stale = true;
  const missed = Math.floor(silentMs / (LIMITS.staleMs / 3));
  publishSystem(context, "system.peer.stale", { peerId: peer.id, last_seen: peer.lastSeen, missed_heartbeats: missed });
}
