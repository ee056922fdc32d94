import type { Publisher } from "./authorisation.ts";
import { matchSegments, topicSegments } from "./topics.ts";

/** Topics on which only the server publishes, under every policy. */
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
 * Whether a peer may publish on a topic of a server in `compat` mode, which serves older clients. Peers publish on
 * every topic except the topics that only the server can know about. The server still decides the identity of a peer.
 */
export function mayPublishCompat({ role }: Publisher, topic: string): boolean {
  const segments = topicSegments(topic);
  if (segments === null) return false;
  return role === "server" || !SERVER_ONLY.some((pattern) => matchSegments(pattern, segments));
}
