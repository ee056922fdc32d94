import { LIMITS } from "@claw/contract";
import type { BusContext } from "./bus-context.ts";
import { COMMANDS } from "./commands/index.ts";
import type { CommandResult, Session } from "./commands/command.ts";
import { closeSubscription } from "./commands/subscribe.ts";
import { createDedupe } from "./dedupe.ts";
import { createFanout } from "./fanout.ts";
import type { EventLog } from "./log/index.ts";
import type { Peer } from "./peer.ts";
import { createProjections } from "./projection.ts";
import type { RateLimit } from "./rate-limit.ts";
import { createRateLimit } from "./rate-limit.ts";
import { publishSystem } from "./system-events.ts";
import type { TopicPlan } from "./topic-plan.ts";
import { createTopicPlans } from "./topic-plan.ts";
import type { Accept, Connection, ConnectionHandler } from "./transport.ts";
import type { Request } from "./wire.ts";
import { isKnownProtocol, readRequest, receiptReply, refuse, reply } from "./wire.ts";

export interface BusOptions {
  readonly log: EventLog;
  /** Ids that were never given out before, in this or an earlier run. */
  readonly ids: { nextPeer(): number; nextSubscription(): number };
  readonly now: () => number;
  readonly publishRate?: number;
  readonly report: (text: string) => void;
}

export interface Bus {
  /** Takes a client in. */
  readonly accept: Accept;
  /** Marks workers that have been silent too long. Called by whoever owns the clock. */
  checkStale(): void;
  readonly context: BusContext;
}

const hex = (number: number, width: number): string => number.toString(16).padStart(width, "0");

function createContext({ log, ids, now, publishRate = LIMITS.publishRate, report }: BusOptions): BusContext {
  const rates = new WeakMap<Peer, Map<string, RateLimit>>();
  const plans = new WeakMap<Peer, (topic: string) => TopicPlan>();
  return {
    log,
    fanout: createFanout(),
    dedupe: createDedupe(),
    projections: createProjections([]),
    peers: new Map(),
    now,
    timestamp: createTimestamps(now),
    planOf: (peer, topic) => {
      const known = plans.get(peer);
      if (known !== undefined) return known(topic);
      const made = createTopicPlans(peer);
      plans.set(peer, made);
      return made(topic);
    },
    rateOf: (peer, family) => {
      const own = rates.get(peer) ?? new Map<string, RateLimit>();
      rates.set(peer, own);
      const limit = own.get(family) ?? createRateLimit(publishRate);
      own.set(family, limit);
      return limit;
    },
    nextPeerId: () => `p_${hex(ids.nextPeer(), 6)}`,
    nextSubscriptionId: () => `s_${hex(ids.nextSubscription(), 4)}`,
    report,
  };
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

export function createBus(options: BusOptions): Bus {
  const context = createContext(options);
  return {
    context,
    accept: (connection) => createHandler(context, connection),
    checkStale: () => {
      for (const peer of context.peers.values()) markStale(context, peer);
    },
  };
}

function markStale(context: BusContext, peer: Peer): void {
  const silentMs = context.now() - peer.lastSeen;
  if (peer.role !== "worker" || peer.stale || peer.worker.ended || silentMs <= LIMITS.staleMs) return;
  peer.stale = true;
  const missed = Math.floor(silentMs / (LIMITS.staleMs / 3));
  publishSystem(context, "system.peer.stale", { peerId: peer.id, last_seen: peer.lastSeen, missed_heartbeats: missed });
}

function frameOf(request: Request, result: CommandResult): string {
  if (result.kind === "receipt") return receiptReply(request, result.fields);
  return result.kind === "ok" ? reply(request, result.body) : refuse(request, result.error, result.more);
}

/** Runs one request. What a handler throws is answered, never passed on: no client can end the process. */
function run(context: BusContext, session: Session, { request, line }: { request: Request; line: string }): void {
  const { connection } = session;
  const answer = (result: CommandResult): void => connection.send(frameOf(request, result));
  if (!isKnownProtocol(request)) return answer({ kind: "error", error: "incompatible protocol version" });
  const command = COMMANDS.get(request["cmd"]);
  if (command === undefined)
    return answer({ kind: "error", error: `unknown cmd: ${String(request["cmd"]).slice(0, 200)}` });
  try {
    command.run({ context, session, request, line }, answer);
  } catch (error) {
    context.report(
      `${String(request["cmd"])} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    answer({ kind: "error", error: "internal error" });
  }
  return undefined;
}

function createHandler(context: BusContext, connection: Connection): ConnectionHandler {
  const session: Session = { connection, peer: undefined };
  let refusing = false;
  return {
    line: (text) => {
      if (refusing) return;
      if (session.peer !== undefined) seen(context, session.peer);
      const reading = readRequest(text);
      if (reading.kind === "refused") connection.send(refuse({}, reading.error));
      if (reading.kind === "request") run(context, session, { request: reading.request, line: text });
    },
    oversize: () => {
      if (refusing) return;
      refusing = true;
      connection.send(refuse({}, "request too large"));
      connection.end();
    },
    drained: () => {
      for (const subscription of session.peer?.subscriptions.values() ?? []) subscription.wake?.();
    },
    closed: () => {
      if (session.peer !== undefined) leave(context, session.peer);
    },
  };
}

/** Any frame is a sign of life. */
function seen(context: BusContext, peer: Peer): void {
  peer.lastSeen = context.now();
  peer.stale = false;
}

function leave(context: BusContext, peer: Peer): void {
  for (const subscription of peer.subscriptions.values()) closeSubscription(context, subscription);
  context.peers.delete(peer.id);
  const reason = peer.role === "worker" && !peer.worker.ended ? "crash" : "clean";
  publishSystem(context, "system.peer.left", { peerId: peer.id, role: peer.role, reason });
}
