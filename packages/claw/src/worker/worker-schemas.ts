import type { EventSchemas } from "@claw/client";

/** Schema names of the worker's events. */
const NAMES: Readonly<Record<string, string>> = {
  boot: "worker-boot-v1",
  phase: "worker-phase-v1",
  event: "worker-event-v1",
  heartbeat: "worker-heartbeat-v1",
  complete: "worker-complete-v1",
  signal: "worker-signal-v1",
  command: "worker-command-v1",
};

/**
 * Provides only the names. The bus checks the events, and loading the schema library would take longer than all other
 * startup.
 */
export const WORKER_SCHEMAS: EventSchemas = {
  nameOf: (topic) => NAMES[topic.slice(topic.lastIndexOf(".") + 1)],
  problemsOf: () => [],
};
