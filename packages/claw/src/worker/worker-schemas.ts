import type { EventSchemas } from "@claw/client";

/** Schemas of what a worker says of itself. */
const NAMES: Readonly<Record<string, string>> = {
  boot: "worker-boot-v1",
  phase: "worker-phase-v1",
  event: "worker-event-v1",
  heartbeat: "worker-heartbeat-v1",
  complete: "worker-complete-v1",
  signal: "worker-signal-v1",
  command: "worker-command-v1",
};

/** The names alone. The bus checks what it is sent; loading the schema library would take longer than all the rest. */
export const WORKER_SCHEMAS: EventSchemas = {
  nameOf: (topic) => NAMES[topic.slice(topic.lastIndexOf(".") + 1)],
  problemsOf: () => [],
};
