import { LIMITS } from "@claw/contract";
import type { RateLimit } from "./rate-limit.ts";
import { createRateLimit } from "./rate-limit.ts";

/** How often each peer may publish. Whoever connects anew goes on with what it had left. */
export interface Rates {
  /**
   * The limit of a peer on the family that a topic begins with. `originOf` says what stands behind the peer, however
   * often it connects: the token it showed, or where it comes from.
   */
  of(peerId: string, topic: string, originOf: () => string): RateLimit;
  leave(peerId: string): void;
}

/** Families with a limit of their own. Names that peers make up share one, or each would be another limit. */
const FAMILIES = [
  "worker",
  "cmd",
  "task",
  "wave",
  "output",
  "rpc",
  "lifecycle",
  "pipeline",
  "system",
  "monitors",
] as const;

const OTHERS = "others";
const KNOWN: ReadonlySet<string> = new Set(FAMILIES);

export function familyOf(topic: string): string {
  const family = topic.slice(0, topic.indexOf(".") >>> 0);
  return KNOWN.has(family) ? family : OTHERS;
}

interface Account {
  readonly peerId: string;
  readonly origin: string;
  readonly limits: Map<string, RateLimit>;
}

/** The time in which every limit is as good as new. */
const FULL_AFTER_MS = 1000;

interface Left {
  readonly account: Account;
  readonly at: number;
}

/** What those who left had used up. A peer that comes takes its own over, or else the worst of its origin. */
function createLeavings(now: () => number) {
  const leavings = new Map<string, Left>();
  const forgetFull = (): void => {
    for (const [peerId, { at }] of leavings) {
      if (Math.abs(now() - at) < FULL_AFTER_MS && leavings.size <= LIMITS.rateLeavings) break;
      leavings.delete(peerId);
    }
  };
  const leftIn = ({ limits }: Account): number => Math.min(...[...limits.values()].map((limit) => limit.left(now())));
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

export function createRates(perSecond: number, now: () => number): Rates {
  const accounts = new Map<string, Account>();
  const leavings = createLeavings(now);
  const open = (peerId: string, origin: string): Account => {
    const limits = leavings.take(peerId, origin)?.limits ?? new Map<string, RateLimit>();
    const account = { peerId, origin, limits };
    accounts.set(peerId, account);
    return account;
  };
  return {
    of: (peerId, topic, originOf) => {
      const { limits } = accounts.get(peerId) ?? open(peerId, originOf());
      const family = familyOf(topic);
      const limit = limits.get(family) ?? createRateLimit(perSecond);
      limits.set(family, limit);
      return limit;
    },
    leave: (peerId) => {
      const account = accounts.get(peerId);
      accounts.delete(peerId);
      if (account !== undefined && perSecond > 0) leavings.add(account);
    },
  };
}
