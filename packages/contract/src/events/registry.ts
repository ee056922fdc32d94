import type * as z from "zod";
import { BUDGET_EVENTS } from "./families/budget.ts";
import { COMMAND_EVENTS, COMMAND_SCHEMAS } from "./families/command.ts";
import { ENVELOPE_SCHEMA, EventEnvelope } from "./envelope.ts";
import type { EventRow } from "./event-row.ts";
import { LIFECYCLE_EVENTS } from "./families/lifecycle.ts";
import { PIPELINE_EVENTS } from "./families/pipeline.ts";
import { RPC_EVENTS } from "./families/rpc.ts";
import { SUPERVISION_EVENTS } from "./families/supervision.ts";
import { SYSTEM_EVENTS } from "./families/system.ts";
import { TASK_EVENTS } from "./families/task.ts";
import { TERMINAL_EVENTS } from "./families/terminal.ts";
import { TICKET_EVENTS } from "./families/ticket.ts";
import { matchSegments, topicSegments } from "./topics.ts";
import { WAVE_EVENTS, WAVE_SCHEMAS } from "./families/wave.ts";
import { WORKER_EVENTS } from "./families/worker.ts";

/**
 * Every topic with a schema. The first row whose pattern covers a topic decides. Two versions of one schema are
 * two rows with the same address, the one that a bare payload is read as standing first.
 */
export const EVENTS = [
  ...WORKER_EVENTS,
  ...COMMAND_EVENTS,
  ...SYSTEM_EVENTS,
  ...SUPERVISION_EVENTS,
  ...BUDGET_EVENTS,
  ...TASK_EVENTS,
  ...TICKET_EVENTS,
  ...TERMINAL_EVENTS,
  ...PIPELINE_EVENTS,
  ...LIFECYCLE_EVENTS,
  ...WAVE_EVENTS,
  ...RPC_EVENTS,
] as const;

type Row = (typeof EVENTS)[number];

export type EventName = Row["name"];

/** The data of each event, by the name of its schema. */
export type EventData = { [Each in Row as Each["name"]]: z.infer<Each["schema"]> };

const ROUTES: readonly { readonly row: Row; readonly segments: readonly string[] }[] = EVENTS.map((row) => ({
  row,
  segments: row.pattern.split("."),
}));

const SCHEMAS: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ...EVENTS.map((row) => [row.name, row.schema] as const),
  ...Object.entries(COMMAND_SCHEMAS),
  ...Object.entries(WAVE_SCHEMAS),
]);

/** The row that decides about a topic; undefined for a topic without a schema and for what is no topic. */
export function schemaForTopic(topic: string): Row | undefined {
  const segments = topicSegments(topic);
  return segments === null ? undefined : ROUTES.find((route) => matchSegments(route.segments, segments))?.row;
}

/** Rows that describe the same topics as `row`, itself included: the versions that run in parallel. */
export const versionsOf = (row: EventRow): readonly Row[] => EVENTS.filter((other) => other.pattern === row.pattern);

export const schemaByName = (name: string): z.ZodType | undefined =>
  name === ENVELOPE_SCHEMA ? EventEnvelope : SCHEMAS.get(name);

/** The name of every schema for data, sorted; the envelope is not one of them. */
export const schemaNames = (): string[] => [...SCHEMAS.keys()].sort();
