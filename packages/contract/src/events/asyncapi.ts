import * as z from "zod";
import { PUBLISH_RULES, publishersOf } from "./authorisation.ts";
import { ENVELOPE_SCHEMA } from "./envelope.ts";
import { addressParameters } from "./event-row.ts";
import type { EventRow } from "./event-row.ts";
import { EVENT_LIMITS } from "./event-limits.ts";
import { REQUESTS } from "../wire/requests/index.generated.ts";
import { EVENTS, schemaByName, schemaNames } from "./registry.ts";

type Json = Record<string, unknown>;

const PARAMETERS: Readonly<Record<string, string>> = {
  peerId: "Id of the peer concerned, for example p_000001.",
  role: "Role addressed: orchestrator, worker or observer.",
  terminalId: "Id of the terminal concerned.",
  pipelineId: "Id of the pipeline concerned.",
  stepId: "Id of the step concerned.",
  taskId: "Id of the task concerned.",
  step: "How far the command has come: accepted, queued, injected, submitted, acked, applied, expired or refused.",
  waveId: "Id of the wave concerned.",
  waveRole: "Part of a member in its wave.",
  callerId: "Id of the peer that made the call.",
  requestId: "Id of the call.",
};

const reference = (path: string): Json => ({ $ref: `#/${path}` });
const byName = (entries: readonly (readonly [string, unknown])[]): Json => Object.fromEntries(entries);

function jsonSchema(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: "draft-07", io: "output" });
  return rest;
}

const publishers = (row: EventRow): Json[] =>
  publishersOf(row.address).map(({ role, topics, summary }) => ({ role, topics, summary }));

function channel(row: EventRow): Json {
  const parameters = addressParameters(row.address).map(
    (name) => [name, { description: PARAMETERS[name] ?? name }] as const,
  );
  return {
    address: row.address,
    summary: row.summary,
    ...(parameters.length > 0 ? { parameters: byName(parameters) } : {}),
    messages: { [row.name]: reference(`components/messages/${row.name}`) },
    "x-topic-pattern": row.pattern,
    "x-publishers": publishers(row),
  };
}

function message(row: EventRow): Json {
  const data = reference(`components/schemas/${row.name}`);
  const enveloped = {
    allOf: [
      reference(`components/schemas/${ENVELOPE_SCHEMA}`),
      { type: "object", properties: { schema: { const: row.name }, data } },
    ],
  };
  return {
    name: row.name,
    summary: row.summary,
    contentType: "application/json",
    payload: row.form === "envelope" ? enveloped : data,
  };
}

function operation(row: EventRow, action: "send" | "receive"): Json {
  return {
    action,
    channel: reference(`channels/${row.name}`),
    summary: action === "send" ? "Delivered to subscribers." : "Accepted from peers that may publish it.",
    messages: [reference(`channels/${row.name}/messages/${row.name}`)],
    ...(action === "receive" ? { "x-publishers": publishers(row).filter(({ role }) => role !== "server") } : {}),
  };
}

function operations(row: EventRow): (readonly [string, Json])[] {
  const send = [`send-${row.name}`, operation(row, "send")] as const;
  const fromPeers = publishers(row).some(({ role }) => role !== "server");
  return fromPeers ? [[`receive-${row.name}`, operation(row, "receive")], send] : [send];
}

const schemas = (): (readonly [string, Json])[] =>
  [ENVELOPE_SCHEMA, ...schemaNames()].flatMap((name) => {
    const schema = schemaByName(name);
    return schema === undefined ? [] : [[name, jsonSchema(schema)] as const];
  });

/** Requests that clients send to the bus. Their schemas lie in a folder beside the document. */
const requests = (): Json[] =>
  Object.values(REQUESTS).map(({ name, summary, from }) => ({
    name,
    summary,
    senders: from,
    request: `schemas/wire.${name}.request.json`,
    reply: `schemas/wire.${name}.reply.json`,
  }));

/** The bus as an AsyncAPI 3.0.0 document, seen from the server. The same on every call. */
export function asyncapiDocument(): Json {
  const rows: readonly EventRow[] = EVENTS;
  return {
    asyncapi: "3.0.0",
    info: {
      title: "claw bus",
      version: "1.0.0",
      description:
        "Topics and events of the bus. A peer may publish the data alone; the server wraps it in the envelope. " +
        "Readers ignore fields they do not know.",
    },
    defaultContentType: "application/json",
    channels: byName(rows.map((row) => [row.name, channel(row)])),
    operations: byName(rows.flatMap(operations)),
    components: {
      messages: byName(rows.map((row) => [row.name, message(row)])),
      schemas: byName(schemas()),
    },
    "x-requests": requests(),
    "x-publish-rules": PUBLISH_RULES,
    "x-limits": EVENT_LIMITS,
  };
}
