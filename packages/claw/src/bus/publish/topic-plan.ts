import { isTopic } from "claw-contract";
import type { Publisher } from "claw-contract/schemas";
import { mayPublish, mayPublishCompat, PUBLISH_FORBIDDEN, schemaForTopic } from "claw-contract/schemas";

type Row = ReturnType<typeof schemaForTopic>;

/** `compat` lets published clients work that were written against a server without a trust boundary. */
export type Policy = "strict" | "compat";

/** The decision whether a peer may publish on a topic, and with which schema. */
export type TopicPlan =
  | { readonly kind: "refused"; readonly error: string }
  /** Without a row the topic has no schema. */
  | { readonly kind: "allowed"; readonly row: Row };

/**
 * Older clients publish `system.worker.*` events in another shape. Otherwise only the server may publish these events.
 */
const speaksForServer = ({ role }: Publisher, topic: string): boolean =>
  role !== "server" && topic.startsWith("system.worker.");

export function planTopic(publisher: Publisher, topic: string, policy: Policy): TopicPlan {
  if (!isTopic(topic)) return { kind: "refused", error: "topic invalid" };
  const allowed = policy === "compat" ? mayPublishCompat(publisher, topic) : mayPublish(publisher, topic);
  if (!allowed) return { kind: "refused", error: PUBLISH_FORBIDDEN };
  return { kind: "allowed", row: speaksForServer(publisher, topic) ? undefined : schemaForTopic(topic) };
}

const REMEMBERED_TOPICS = 1000;

/**
 * Plans the topics of one peer and remembers each plan (bench bus, "server time for an event"). Must be dropped when the
 * peer's tasks or wave change.
 */
export function createTopicPlans(publisher: () => Publisher, policy: Policy): (topic: string) => TopicPlan {
  const plans = new Map<string, TopicPlan>();
  return (topic) => {
    const known = plans.get(topic);
    if (known !== undefined) return known;
    if (plans.size >= REMEMBERED_TOPICS) plans.clear();
    const plan = planTopic(publisher(), topic, policy);
    // The topic of an answer belongs to the called peer only until it has answered.
    if (!topic.startsWith("rpc.")) plans.set(topic, plan);
    return plan;
  };
}
