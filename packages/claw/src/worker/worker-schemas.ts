import type { EventSchemas } from "claw-client";
import { WORKER_SCHEMA_NAMES } from "claw-contract";

/**
 * Provides only the names. The bus checks the events, and loading the schema library would take longer than all other
 * startup.
 */
export const WORKER_SCHEMAS: EventSchemas = {
  nameOf: (topic) => WORKER_SCHEMA_NAMES[topic.slice(topic.lastIndexOf(".") + 1)],
  problemsOf: () => [],
};
