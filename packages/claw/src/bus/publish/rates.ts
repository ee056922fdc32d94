import { LIMITS } from "claw-contract";
import type { RateLimit } from "./rate-limit.ts";
import { createRateLimit } from "./rate-limit.ts";

/**
 * How often each peer may publish: on each topic, and in total. A peer that connects again continues with its remaining
 * rate.
 */
export interface RateLimits {
  /**
   * The limit of a peer on a topic. `originOf` names the peer's origin, which stays the same when the peer connects
   * again: the token, or the entrance.
   */
  of(peerId: string, topic: string, originOf: () => string): RateLimit;
  leave(peerId: string): void;
  /** Counts for connected peers since the last call. Peers without traffic are left out. */
  takeTraffic(): ReadonlyMap<string, Traffic>;
}

/** Events of a peer, counted. */
export interface Traffic {
  /** Events that the limits let through. */
  readonly published: number;
  /** Events refused because the peer sent too many. */
  readonly refused: number;
}

interface Account {
  readonly peerId: string;
  readonly origin: string;
  readonly total: RateLimit;
  /** Heartbeats that the total does not count. */
  readonly beats: RateLimit;
  /** By topic, with `self` in place of the peer's id, since a peer that connects again may have another id. */
  readonly shapes: Map<string, RateLimit>;
  readonly traffic: { published: number; refused: number };
  /** By topic as it is published on. */
  readonly topics: Map<string, RateLimit>;
}

const shapeOf = (peerId: string, topic: string): string =>
  topic
    .split(".")
    .map((segment) => (segment === peerId ? "self" : segment))
    .join(".");

const isHeartbeat = (topic: string): boolean => topic.startsWith("worker.") && topic.endsWith(".heartbeat");

/** A topic's own limit, and the total it counts into. */
function withTotal(own: RateLimit, total: RateLimit): RateLimit {
  return {
    take: (nowMs) => {
      const taken = own.take(nowMs);
      const counted = taken.ok ? total.take(nowMs) : taken;
      if (taken.ok && !counted.ok) own.giveBack();
      return counted;
    },
    giveBack: () => {
      own.giveBack();
      total.giveBack();
    },
    left: (nowMs) => Math.min(own.left(nowMs), total.left(nowMs)),
  };
}

/** A limit that also counts passed and refused events. */
const counting = (limit: RateLimit, traffic: Account["traffic"]): RateLimit => ({
  ...limit,
  take: (nowMs) => {
    const taken = limit.take(nowMs);
    traffic[taken.ok ? "published" : "refused"] += 1;
    return taken;
  },
  giveBack: () => {
    traffic.published = Math.max(0, traffic.published - 1);
    limit.giveBack();
  },
});

/** A total that lets one heartbeat a second pass, however much else was published. */
const exempting = (beats: RateLimit, total: RateLimit): RateLimit => ({
  ...total,
  take: (nowMs) => (beats.take(nowMs).ok ? { ok: true } : total.take(nowMs)),
});

/** Time after which every limit is full again, in milliseconds. */
const FULL_AFTER_MS = 1000;

interface Left {
  readonly account: Account;
  readonly at: number;
}

/**
 * Accounts of peers that left. A joining peer takes over its earlier account, else the most used account of its origin.
 */
function createLeavings(now: () => number) {
  const leavings = new Map<string, Left>();
  const forgetFull = (): void => {
    for (const [peerId, { at }] of leavings) {
      if (Math.abs(now() - at) < FULL_AFTER_MS && leavings.size <= LIMITS.rateLeavings) break;
      leavings.delete(peerId);
    }
  };
  const leftIn = ({ shapes, total }: Account): number =>
    Math.min(...[total, ...shapes.values()].map((limit) => limit.left(now())));
  const worstOf = (origin: string): Account | undefined => {
    let worst: Account | undefined;
    for (const { account } of leavings.values()) {
      if (account.origin !== origin) continue;
      if (worst === undefined || leftIn(account) < leftIn(worst)) worst = account;
    }
    return worst;
  };
  return {
    add: (account: Account): void => {
      leavings.delete(account.peerId);
      leavings.set(account.peerId, { account, at: now() });
      forgetFull();
    },
    take: (peerId: string, origin: string): Account | undefined => {
      forgetFull();
      const account = leavings.get(peerId)?.account ?? worstOf(origin);
      if (account !== undefined) leavings.delete(account.peerId);
      return account;
    },
  };
}

const HEARTBEATS_PER_SECOND = 1;

/** The limit of a topic that was not published on since the account was opened. */
function openTopic(account: Account, topic: string, perSecond: number): RateLimit {
  const { peerId, shapes, topics, total, beats } = account;
  if (shapes.size >= LIMITS.ratedTopics) {
    // The total still limits a peer that keeps inventing topics.
    shapes.clear();
    topics.clear();
  }
  const shape = shapeOf(peerId, topic);
  const own = shapes.get(shape) ?? createRateLimit(perSecond);
  shapes.set(shape, own);
  const limit = counting(withTotal(own, isHeartbeat(topic) ? exempting(beats, total) : total), account.traffic);
  topics.set(topic, limit);
  return limit;
}

export function createRates(perSecond: number, now: () => number): RateLimits {
  const accounts = new Map<string, Account>();
  const leavings = createLeavings(now);
  const openAccount = (peerId: string, origin: string): Account => {
    const {
      total = createRateLimit(perSecond * LIMITS.publishTotalFactor),
      beats = createRateLimit(HEARTBEATS_PER_SECOND),
      shapes = new Map<string, RateLimit>(),
    } = leavings.take(peerId, origin) ?? {};
    const traffic = { published: 0, refused: 0 };
    const account = { peerId, origin, total, beats, shapes, traffic, topics: new Map<string, RateLimit>() };
    accounts.set(peerId, account);
    return account;
  };
  return {
    of: (peerId, topic, originOf) => {
      const account = accounts.get(peerId) ?? openAccount(peerId, originOf());
      return account.topics.get(topic) ?? openTopic(account, topic, perSecond);
    },
    leave: (peerId) => {
      const account = accounts.get(peerId);
      accounts.delete(peerId);
      if (account !== undefined && perSecond > 0) leavings.add(account);
    },
    takeTraffic: () => {
      const taken = new Map<string, Traffic>();
      for (const { peerId, traffic } of accounts.values()) {
        if (traffic.published + traffic.refused > 0) taken.set(peerId, { ...traffic });
        Object.assign(traffic, { published: 0, refused: 0 });
      }
      return taken;
    },
  };
}
