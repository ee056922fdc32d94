import type { Access } from "./access/access.ts";
import type { BusParts } from "./bus-parts.ts";
import type { Dedupe } from "./publish/dedupe.ts";
import type { Durables } from "./delivery/durable/durables.ts";
import type { Fanout } from "./delivery/fanout.ts";
import type { Extensions } from "./extension/extension.ts";
import type { EventLog } from "./log/index.ts";
import type { Peer } from "./peers/peer.ts";
import type { Projections } from "./state/projection.ts";
import type { Rates } from "./publish/rates.ts";
import type { ResumeTokens } from "./access/resume.ts";
import type { Snapshots } from "./snapshot/snapshots.ts";
import type { TopicPlan } from "./publish/topic-plan.ts";

/** Parts of the bus that request handlers, gates and reactions share. */
export interface BusContext extends BusParts {
  readonly log: EventLog;
  readonly fanout: Fanout;
  readonly dedupe: Dedupe;
  readonly access: Access;
  readonly resume: ResumeTokens;
  readonly durables: Durables;
  readonly projections: Projections;
  /** Extensions that the daemon added to the bus. */
  readonly extensions: Extensions;
  readonly snapshots: Snapshots;
  readonly peers: Map<string, Peer>;
  /** Milliseconds. */
  now(): number;
  /** ISO time. */
  timestamp(): string;
  readonly rates: Rates;
  /** Whether a peer may publish on a topic, and by which schema. */
  planOf(peer: Peer, topic: string): TopicPlan;
  /**
   * Forgets a peer's topic plans, because its tasks or its wave changed. The next publish on a topic is decided anew.
   */
  forgetPlans(peerId: string): void;
  nextPeerId(): string;
  nextSubscriptionId(): string;
  nextTaskId(): string;
  nextPipelineId(): string;
  /** Never used before in this workspace. */
  nextTerminalId(): string;
  /** For the daemon's own log. */
  report(text: string): void;
}
