import { LIMITS } from "claw-contract";
import type { Publisher } from "claw-contract/schemas";
import type { Peer } from "../peers/peer.ts";
import type { Dedupe } from "./dedupe.ts";
import { createDedupe } from "./dedupe.ts";
import type { RateLimits } from "./rates.ts";
import { createRates } from "./rates.ts";
import type { Policy, TopicPlan } from "./topic-plan.ts";
import { createTopicPlans } from "./topic-plan.ts";

/** The state of `publish`: repetitions, rates, and the plans of topics. */
export interface PublishShelf {
  readonly dedupe: Dedupe;
  readonly rates: RateLimits;
  /** Whether a peer may publish on a topic, and by which schema. */
  planOf(peer: Peer, topic: string): TopicPlan;
  /**
   * Forgets a peer's topic plans, because its tasks or its wave changed. The next publish on a topic is decided anew.
   */
  forgetPlans(peerId: string): void;
}

export interface PublishingOptions {
  readonly now: () => number;
  readonly policy: Policy;
  readonly publishRate?: number | undefined;
  readonly peers: ReadonlyMap<string, Peer>;
  readonly publisherOf: (peer: Peer) => Publisher;
}

export function createPublishShelf(options: PublishingOptions): PublishShelf {
  const { now, policy, publishRate = LIMITS.publishRate, peers, publisherOf } = options;
  const plans = new WeakMap<Peer, (topic: string) => TopicPlan>();
  return {
    dedupe: createDedupe(),
    rates: createRates(publishRate, now),
    planOf: (peer, topic) => {
      const known = plans.get(peer);
      if (known !== undefined) return known(topic);
      const made = createTopicPlans(() => publisherOf(peer), policy);
      plans.set(peer, made);
      return made(topic);
    },
    forgetPlans: (peerId) => {
      const peer = peers.get(peerId);
      if (peer !== undefined) plans.delete(peer);
    },
  };
}
