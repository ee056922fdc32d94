import type { Publisher } from "./authorisation.ts";
import { matchSegments, topicSegments } from "./topics.ts";

/** Topics that only the server publishes on, whatever the policy. */
export const SERVER_ONLY_TOPICS: readonly string[] = [
  "system.peer.**",
  "system.gate.**",
  "system.budget.**",
  "system.terminal.**",
  "system.heartbeat",
  "system.metrics",
  "system.malformed.**",
  "system.command.**",
  "system.approval.**",
  "vehicle.**",
];

const SERVER_ONLY = SERVER_ONLY_TOPICS.map((pattern) => pattern.split("."));

/**
 * Whether a peer may publish on a topic of a server that lets older clients work: they publish what they like, save
 * what only the server can know. Who they are is still the server's to say.
 */
export function mayPublishCompat({ role }: Publisher, topic: string): boolean {
  const segments = topicSegments(topic);
  if (segments === null) return false;
  return role === "server" || !SERVER_ONLY.some((pattern) => matchSegments(pattern, segments));
}
