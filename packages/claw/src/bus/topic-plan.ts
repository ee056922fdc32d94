import { isTopic } from "@claw/contract";
import { mayPublish, PUBLISH_FORBIDDEN, schemaForTopic } from "@claw/contract/schemas";
import type { Peer } from "./peer.ts";

type Row = ReturnType<typeof schemaForTopic>;

/** What was decided once about a peer and a topic. */
export type TopicPlan =
  | { readonly kind: "refused"; readonly error: string }
  /** Without a row the topic has no schema. */
  | { readonly kind: "allowed"; readonly row: Row };

export function planTopic(peer: Peer, topic: string): TopicPlan {
  if (!isTopic(topic)) return { kind: "refused", error: "topic invalid" };
  const allowed = mayPublish({ role: peer.role, peerId: peer.id }, topic);
  return allowed ? { kind: "allowed", row: schemaForTopic(topic) } : { kind: "refused", error: PUBLISH_FORBIDDEN };
}

const REMEMBERED_TOPICS = 1000;

/** Remembers plans for one peer. Forget it when what the peer owns changes. */
export function createTopicPlans(peer: Peer): (topic: string) => TopicPlan {
  const plans = new Map<string, TopicPlan>();
  return (topic) => {
    const known = plans.get(topic);
    if (known !== undefined) return known;
    if (plans.size >= REMEMBERED_TOPICS) plans.clear();
    const plan = planTopic(peer, topic);
    plans.set(topic, plan);
    return plan;
  };
}
