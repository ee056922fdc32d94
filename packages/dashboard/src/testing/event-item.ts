import type { EventItem } from "claw-client";

/** An event as a subscription gives it. */
export const item = (topic: string, data: unknown, more: Partial<EventItem> = {}): EventItem => ({
  kind: "event",
  topic,
  from: topic.startsWith("system.") ? "server" : "p_1",
  sequence: 7,
  cursor: "0001:7",
  storedAtMs: 1000,
  payload: data,
  envelope: null,
  data,
  ...more,
});
