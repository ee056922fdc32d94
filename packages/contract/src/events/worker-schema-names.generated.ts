// Made by `npm run generate`. Edit the event's schema instead.
/** Names of the schemas of a worker's own events, by the last word of the topic. */
export const WORKER_SCHEMA_NAMES: Readonly<Record<string, string>> = {
  boot: "worker-boot-v1",
  phase: "worker-phase-v1",
  event: "worker-event-v1",
  heartbeat: "worker-heartbeat-v1",
  complete: "worker-complete-v1",
  signal: "worker-signal-v1",
  command: "worker-command-v1",
};
