import type { Dedupe } from "./dedupe.ts";
import type { Fanout } from "./fanout.ts";
import type { EventLog } from "./log/index.ts";
import type { Peer } from "./peer.ts";
import type { Projections } from "./projection.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { TopicPlan } from "./topic-plan.ts";

/** What everything in the bus works on. */
export interface BusContext {
  readonly log: EventLog;
  readonly fanout: Fanout;
  readonly dedupe: Dedupe;
  readonly projections: Projections;
  readonly peers: Map<string, Peer>;
  /** Milliseconds. */
  now(): number;
  /** ISO time. */
  timestamp(): string;
  /** The limit of one peer on one family of topics. */
  rateOf(peer: Peer, family: string): RateLimit;
  /** Whether a peer may publish on a topic, and by which schema. */
  planOf(peer: Peer, topic: string): TopicPlan;
  nextPeerId(): string;
  nextSubscriptionId(): string;
  /** For the daemon's own log. */
  report(text: string): void;
}
