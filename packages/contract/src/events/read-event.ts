import type * as z from "zod";
import { ENVELOPE_SCHEMA, ENVELOPE_VERSION, isEnveloped, SentEnvelope } from "./envelope.ts";
import { EVENT_CHECKS, isSentEnvelope } from "./event-checks.generated.ts";
import { EVENT_LIMITS } from "./event-limits.ts";
import { schemaForTopic, versionsOf } from "./registry.ts";
import type { EventData, EventName } from "./registry.ts";
import { formatSchemaName, isSameSchema, parseSchemaName } from "./schema-name.ts";
import { isTopic } from "./topics.ts";

export interface EventOf<Name extends EventName> {
  readonly topic: string;
  readonly schema: Name;
  /** Exactly as published, fields that the schema does not know included. */
  readonly data: EventData[Name];
  /** As published; null when the payload came bare. */
  readonly envelope: SentEnvelope | null;
}

/** An event of any registered schema; comparing `schema` narrows `data`. */
export type BusEvent = { [Name in EventName]: EventOf<Name> }[EventName];

export interface EventProblem {
  readonly code: string;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export type EventReadResult =
  | { readonly ok: true; readonly event: BusEvent }
  | { readonly ok: false; readonly reason: "malformed"; readonly problems: readonly EventProblem[] }
  /** The topic has no registered schema: pass the event on unchanged. */
  | { readonly ok: false; readonly reason: "unknown-topic"; readonly topic: string }
  /** A newer or older publisher sent a version that this reader does not know. */
  | {
      readonly ok: false;
      readonly reason: "unknown-version";
      readonly schema: string;
      readonly known: readonly string[];
    };

type Row = NonNullable<ReturnType<typeof schemaForTopic>>;

/** Older servers wrap bare payloads under the name of the protocol, which says nothing about the data. */
const UNNAMED_SCHEMA = "claws/2";

const malformed = (problems: readonly EventProblem[]): EventReadResult => ({
  ok: false,
  reason: "malformed",
  problems,
});

const toProblems = (error: z.ZodError, prefix: readonly string[]): EventProblem[] =>
  error.issues.slice(0, EVENT_LIMITS.problems).map((issue) => ({
    code: issue.code,
    path: [...prefix, ...issue.path.map((key) => (typeof key === "number" ? key : String(key)))],
    message: issue.message,
  }));

/** Problems of an event's data; undefined when the data is valid. */
function problemsOf(row: Row, data: unknown, prefix: readonly string[]): EventProblem[] | undefined {
  // Frequent events have a generated check (bench schemas). The schema judges all others, and says what is wrong.
  if (EVENT_CHECKS.get(row.name)?.(data) === true) return undefined;
  const parsed = row.schema.safeParse(data);
  return parsed.success ? undefined : toProblems(parsed.error, prefix);
}

function readBare(topic: string, row: Row, payload: unknown): EventReadResult {
  // A publish without a payload is how commands that need no fields are sent.
  const data = payload === undefined ? {} : payload;
  const problems = problemsOf(row, data, []);
  if (problems !== undefined) return malformed(problems);
  return { ok: true, event: { topic, schema: row.name, data, envelope: null } as BusEvent };
}

/** The row of the schema that the publisher names, or the answer when there is no such row. */
function rowNamed(row: Row, name: string | undefined): Row | EventReadResult {
  if (name === undefined || name === UNNAMED_SCHEMA) return row;
  const versions = versionsOf(row);
  const named = versions.find((version) => version.name === name);
  if (named !== undefined) return named;
  const known = versions.map((version) => version.name).filter((version) => isSameSchema(version, name));
  if (known.length > 0) return { ok: false, reason: "unknown-version", schema: name, known };
  const expected = versions.map((version) => version.name).join(" or ");
  return malformed([{ code: "invalid_schema", path: ["schema"], message: `Expected ${expected} on this topic` }]);
}

function isOtherEnvelopeVersion(version: unknown): version is number {
  return Number.isSafeInteger(version) && Number(version) > 0 && version !== ENVELOPE_VERSION;
}

function readEnveloped(topic: string, topicRow: Row, payload: Record<string, unknown>): EventReadResult {
  if (isOtherEnvelopeVersion(payload.v)) {
    const base = parseSchemaName(ENVELOPE_SCHEMA)?.base ?? ENVELOPE_SCHEMA;
    const schema = formatSchemaName({ base, version: payload.v });
    return { ok: false, reason: "unknown-version", schema, known: [ENVELOPE_SCHEMA] };
  }
  if (!isSentEnvelope(payload)) {
    const envelope = SentEnvelope.safeParse(payload);
    if (!envelope.success) return malformed(toProblems(envelope.error, []));
  }
  const row = payload.schema === topicRow.name ? topicRow : rowNamed(topicRow, payload.schema as string | undefined);
  if ("ok" in row) return row;
  const problems = problemsOf(row, payload.data, ["data"]);
  if (problems !== undefined) return malformed(problems);
  return { ok: true, event: { topic, schema: row.name, data: payload.data, envelope: payload } as BusEvent };
}

/** Reads an event on a topic whose row is known. Never throws on a value that JSON can carry. */
export const readEventOf = (row: Row, topic: string, payload: unknown): EventReadResult =>
  isEnveloped(payload) ? readEnveloped(topic, row, payload) : readBare(topic, row, payload);

/** Reads an event on any topic. Never throws on a value that JSON can carry. */
export function readEvent(topic: unknown, payload: unknown): EventReadResult {
  if (!isTopic(topic)) return malformed([{ code: "invalid_topic", path: ["topic"], message: "Not a topic" }]);
  const row = schemaForTopic(topic);
  if (row === undefined) return { ok: false, reason: "unknown-topic", topic };
  return readEventOf(row, topic, payload);
}
