import type { Check } from "../wire/check-shape.ts";
import { checkOf } from "../wire/check-shape.ts";
import { misfitsOf } from "../wire/shape-misfits.ts";
import type { Shape } from "../wire/shape.ts";
import { lengthen } from "../wire/short-shape.ts";
import { ENVELOPE_SHAPE, CLIENT_EVENTS, SHARED_SHAPES } from "../wire/short-shapes.generated.ts";
import { EVENT_LIMITS } from "./event-limits.ts";
import type { EventEntry, EventTable } from "./event-table.ts";
import { createEventTable } from "./event-table.ts";
import type { EventProblem } from "./read-event.ts";
import { topicSegments } from "./topics.ts";

/** Names and checks the events that clients publish, as the bus does, without the schema library. */
export interface PublishChecks {
  /** The schema of a topic; undefined for a topic without one. */
  readonly nameOf: (topic: string) => string | undefined;
  /** What the bus would refuse in an event: its topic, its envelope, its data. Without a schema, any data will do. */
  readonly problemsOf: (topic: string, envelope: unknown) => readonly EventProblem[];
}

interface ShapeCheck {
  readonly shape: Shape;
  readonly fits: Check;
}

const problemsIn = ({ shape, fits }: ShapeCheck, value: unknown, path: readonly string[]): EventProblem[] =>
  fits(value)
    ? []
    : misfitsOf(shape, value)
        .slice(0, EVENT_LIMITS.problems)
        .map((misfit) => ({ code: "invalid_value", path: [...path, ...misfit.path], message: misfit.message }));

/** The entry of the schema that the publisher names on a topic; a problem when the topic has no such schema. */
function entryNamed({ entries }: EventTable, entry: EventEntry, name: unknown): EventEntry | EventProblem {
  if (name === undefined || name === entry.name) return entry;
  const versions = entries.filter(({ pattern }) => pattern === entry.pattern);
  const expected = versions.map((version) => version.name).join(" or ");
  const problem = { code: "invalid_schema", path: ["schema"], message: `must be ${expected} on this topic` };
  return versions.find((version) => version.name === name) ?? problem;
}

/** Makes the checks of a client. Each event's check is made when the first such event comes. */
export function createPublishChecks(): PublishChecks {
  const table = createEventTable(CLIENT_EVENTS, SHARED_SHAPES);
  const checks = new Map<string, ShapeCheck>();
  const checkNamed = (name: string, readShape: () => Shape): ShapeCheck => {
    const known = checks.get(name);
    if (known !== undefined) return known;
    const shape = readShape();
    const check = { shape, fits: checkOf(shape) };
    checks.set(name, check);
    return check;
  };
  const readEnvelope = (): Shape => lengthen(ENVELOPE_SHAPE, SHARED_SHAPES);
  return {
    nameOf: (topic) => table.find(topicSegments(topic) ?? [])?.name,
    problemsOf: (topic, payload) => {
      const segments = topicSegments(topic);
      if (segments === null) return [{ code: "invalid_topic", path: ["topic"], message: "is not a topic" }];
      const entry = table.find(segments);
      if (entry === undefined) return [];
      const problems = problemsIn(checkNamed("", readEnvelope), payload, []);
      if (problems.length > 0) return problems;
      const envelope = payload as Readonly<Record<string, unknown>>;
      const named = entryNamed(table, entry, envelope["schema"]);
      if ("code" in named) return [named];
      return problemsIn(checkNamed(named.name, named.shape), envelope["data"], ["data"]);
    },
  };
}
