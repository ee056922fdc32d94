import type { Access } from "./access.ts";
import type { BusParts } from "./bus-parts.ts";
import type { Dedupe } from "./dedupe.ts";
import type { Durables } from "./durable/durables.ts";
import type { Fanout } from "./fanout.ts";
import type { Extensions } from "./extension.ts";
import type { EventLog } from "./log/index.ts";
import type { Peer } from "./peer.ts";
import type { Projections } from "./projection.ts";
import type { Rates } from "./rates.ts";
import type { ResumeTokens } from "./resume.ts";
import type { Snapshots } from "./snapshot/snapshots.ts";
import type { TopicPlan } from "./topic-plan.ts";

/** What everything in the bus works on. */
export interface BusContext extends BusParts {
  readonly log: EventLog;
  readonly fanout: Fanout;
  readonly dedupe: Dedupe;
  readonly access: Access;
  readonly resume: ResumeTokens;
  readonly durables: Durables;
  readonly projections: Projections;
  /** What whoever owns the bus added to it. */
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
  /** Decides anew what a peer may publish, after what it owns has changed. */
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
