import type { Admission, AdmissionOptions } from "./access/admission.ts";
import { createAdmission } from "./access/admission.ts";
import type { Delivery, DeliveryOptions } from "./delivery/delivery.ts";
import { createDelivery } from "./delivery/delivery.ts";
import type { BusHost } from "./extension/bus-host.ts";
import { createBusHost } from "./extension/bus-host.ts";
import type { Extensions, ExtendBus } from "./extension/extension.ts";
import { createExtensions } from "./extension/extension.ts";
import type { Ids, Numbers } from "./ids.ts";
import { createIds } from "./ids.ts";
import type { Judges, Turns } from "./leases/judges.ts";
import { createTurns } from "./leases/judges.ts";
import type { EventLog, StoredEvent } from "./log/index.ts";
import type { ConnectedPeers } from "./peers/connected-peers.ts";
import { createConnectedPeers } from "./peers/connected-peers.ts";
import { createEventFeed } from "./publish/event-feed.ts";
import { createRecall } from "./publish/recall-events.ts";
import { publisherOf } from "./publish/publisher.ts";
import type { PublishShelf } from "./publish/publishing.ts";
import { createPublishShelf } from "./publish/publishing.ts";
import type { Router } from "./routing/router.ts";
import type { Routing } from "./routing/routing.ts";
import { createRouting } from "./routing/routing.ts";
import type { Server, ServerOptions } from "./server.ts";
import { createServer } from "./server.ts";
import { captureState } from "./snapshot/restore.ts";
import type { Snapshots, SnapshotsOptions } from "./snapshot/snapshots.ts";
import { createSnapshots } from "./snapshot/snapshots.ts";
import type { BudgetLimits } from "./state/budget.ts";
import { projectionsOf } from "./state/bus-state.ts";
import type { Knowledge } from "./state/knowledge.ts";
import { createKnowledge } from "./state/knowledge.ts";
import type { Projection } from "./state/projection.ts";
import { createReactions } from "./state/reactions.ts";
import type { Terminals } from "./terminals/terminals.ts";
import { NO_TERMINALS } from "./terminals/terminals.ts";

export interface ContextOptions
  extends ServerOptions, AdmissionOptions, DeliveryOptions, Omit<SnapshotsOptions, "capture"> {
  readonly log: EventLog;
  readonly ids: Numbers;
  readonly publishRate?: number;
  readonly budget?: BudgetLimits;
  /** Must know its open terminals when `restore` runs: `restore` publishes all other recorded terminals as closed. */
  readonly terminals?: Terminals;
  /** Set in a cluster: the way to the daemons of other machines. */
  readonly router?: Router | undefined;
  /** Set in a cluster: which daemon decides what no daemon owns. */
  readonly judges?: Judges | undefined;
  /** Makes the extensions of the bus. Called once, before the bus has restored its state. */
  readonly extend?: ExtendBus;
}

/**
 * All shelves of the bus together, for its request handlers. A function of a shelf names the shelves it uses instead:
 * its parameter says what it can touch.
 */
export interface BusContext extends Server, Admission, ConnectedPeers, PublishShelf, Delivery, Knowledge, Ids {
  readonly log: EventLog;
  /** The head of the log when the bus opened it. Events up to there come from files that a disk may have damaged. */
  readonly headAtStart: number;
  readonly snapshots: Snapshots;
  readonly terminals: Terminals;
  readonly routing: Routing;
  readonly turns: Turns;
  /** Extensions that the daemon added to the bus. */
  readonly extensions: Extensions;
}

/** The order matters: every projection takes in an event before any reaction to the event runs. */
const everyProjection = (context: BusContext): Projection[] => [
  ...projectionsOf(context.state),
  ...context.extensions.memories(),
  ...createReactions(context),
  ...context.extensions.reactions(),
];

function noteApplied({ snapshots, routing }: BusContext, { payload, sequence }: StoredEvent): void {
  snapshots.note(payload?.length ?? 0);
  routing.passage.reached(sequence);
}

/** Which daemon of a cluster answers and decides what. */
const createPlaces = (
  { router, judges }: ContextOptions,
  { belonging, state, projections }: Knowledge,
  homes: () => BusContext,
): Pick<BusContext, "turns" | "routing"> => ({
  turns: createTurns({
    judges,
    isHere: (peerId) => belonging.isHere(peerId),
    machineOf: (peerId) => state.presence.homeOf(peerId),
  }),
  routing: createRouting({ router, judges, homes, through: () => projections.through() }),
});

/** Makes the shelves, then the host, then the extensions on the host. */
export function createContext(options: ContextOptions): { readonly context: BusContext; readonly host: BusHost } {
  const { log, ids, publishRate, budget, terminals = NO_TERMINALS } = options;
  const server = createServer(options);
  const presence = createConnectedPeers(server.startedAt);
  const knowledge = createKnowledge({
    log,
    budget,
    everyProjection: () => everyProjection(context),
    applied: (event) => noteApplied(context, event),
  });
  let extensions = createExtensions([]);
  const context: BusContext = {
    ...server,
    ...createAdmission(options),
    ...presence,
    ...createPublishShelf({
      now: options.now,
      policy: server.policy,
      publishRate,
      peers: presence.peers,
      publisherOf: (peer) => publisherOf(context, peer),
    }),
    ...createDelivery(options),
    ...knowledge,
    ...createIds(ids, knowledge.state),
    log,
    headAtStart: log.head(),
    snapshots: createSnapshots({ ...options, capture: () => captureState(context) }),
    terminals,
    ...createPlaces(options, knowledge, () => context),
    get extensions() {
      return extensions;
    },
  };
  const host = createBusHost(context);
  extensions = createExtensions(options.extend?.(host) ?? [], context.belonging);
  log.follow(
    createEventFeed({ ...context, recall: createRecall(context.dedupe), wantsEcho: context.routing.wantsEcho }),
  );
  return { context, host };
}
