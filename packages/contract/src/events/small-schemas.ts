import type * as z from "zod/mini";
import { schemaOfShape } from "../wire/schema-of-shape.ts";
import { CLIENT_EVENTS, SHARED_SHAPES } from "../wire/short-shapes.generated.ts";
import { createEventTable } from "./event-table.ts";
import type { EventData, EventName } from "./registry.ts";
import { OTHER_EVENTS, SHARED_OTHER_SHAPES } from "./other-events.generated.ts";
import { topicSegments } from "./topics.ts";

/** A zod schema of an event's data. */
export type EventSchema<Name extends EventName> = z.ZodMiniType<EventData[Name]>;

const TABLES = [
  createEventTable(CLIENT_EVENTS, SHARED_SHAPES),
  createEventTable(OTHER_EVENTS, SHARED_OTHER_SHAPES),
] as const;

/** The name of the schema of the events on a topic; undefined for a topic without one. */
export function eventNameOf(topic: string): EventName | undefined {
  const segments = topicSegments(topic) ?? [];
  const entries = TABLES.map((table) => table.find(segments));
  return entries.find((entry) => entry !== undefined)?.name as EventName | undefined;
}

const schemas = new Map<EventName, z.ZodMiniType>();

/** The zod schema of the data of an event. Each schema is made once, when it is first asked for. */
export function eventSchema<Name extends EventName>(name: Name): EventSchema<Name> {
  const entry = TABLES.flatMap(({ entries }) => entries).find((each) => each.name === name);
  if (entry === undefined) throw new RangeError(`no event has the schema ${name}`);
  const schema = schemas.get(name) ?? schemaOfShape(entry.shape());
  schemas.set(name, schema);
  return schema as EventSchema<Name>;
}
