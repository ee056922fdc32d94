import * as z from "zod";
import { ROLES } from "../../events/fields.ts";
import { listPeersRequest } from "../../wire/requests/about/peers.ts";
import { pingRequest } from "../../wire/requests/about/ping.ts";
import { callPeerRequest } from "../../wire/requests/calls/call.ts";
import { deliverCommandRequest } from "../../wire/requests/commands/deliver.ts";
import { broadcastRequest } from "../../wire/requests/publishing/broadcast.ts";
import { showSchemaRequest } from "../../wire/requests/schemas/get.ts";
import { listSchemasRequest } from "../../wire/requests/schemas/list.ts";
import { defineTool } from "../define-tool.ts";

const Ok = z.object({ ok: z.literal(true) });

export const OLD_BUS_TOOLS = {
  claws_hello: defineTool({
    name: "claws_hello",
    title: "Who am I",
    description: "Say under which peer id this connection acts. Its role is fixed when it begins.",
    input: z.object({
      role: z.enum(ROLES),
      peerName: z.string().optional(),
      terminalId: z.string().optional(),
      capabilities: z.array(z.string()).optional(),
      waveId: z.string().optional(),
      subWorkerRole: z.string().optional(),
    }),
    output: z.object({
      peerId: z.string(),
      role: z.string(),
      serverCapabilities: z.array(z.string()),
      rootOrchestratorPresent: z.boolean(),
    }),
    effect: { reads: true, repeatable: true },
  }),
  claws_subscribe: defineTool({
    name: "claws_subscribe",
    title: "Follow a topic",
    description: "Let claws_drain_events bring only events on the topics that were subscribed, from now on.",
    input: z.object({ topic: z.string().min(1) }),
    output: z.object({ subscriptionId: z.string(), resumeCursor: z.string() }),
    effect: { repeatable: true },
  }),
  claws_broadcast: defineTool({
    name: "claws_broadcast",
    title: "Send text to a role",
    description: "Send a text to every peer of a role; with inject, type it into their terminals.",
    input: z.object({
      text: z.string().min(1),
      targetRole: z.enum([...ROLES, "all"]).optional(),
      peerId: z.string().optional(),
      inject: z.boolean().optional(),
    }),
    output: broadcastRequest.reply,
    effect: { leads: true },
  }),
  claws_ping: defineTool({
    name: "claws_ping",
    title: "Ping",
    description: "Ask the daemon for a sign of life.",
    input: z.object({}),
    output: pingRequest.reply,
    effect: { reads: true, repeatable: true },
  }),
  claws_peers: defineTool({
    name: "claws_peers",
    title: "List peers",
    description: "List the programs that are connected to the bus.",
    input: z.object({}),
    output: listPeersRequest.reply,
    effect: { reads: true, repeatable: true },
  }),
  claws_deliver_cmd: defineTool({
    name: "claws_deliver_cmd",
    title: "Deliver a command",
    description: "Deliver a command to a peer once, whatever is repeated under the same key.",
    input: z.object({
      targetPeerId: z.string().min(1),
      cmdTopic: z.string().min(1),
      payload: z.unknown(),
      idempotencyKey: z.string().min(1),
    }),
    output: deliverCommandRequest.reply,
    effect: { leads: true, repeatable: true },
  }),
  claws_cmd_ack: defineTool({
    name: "claws_cmd_ack",
    title: "Acknowledge a command",
    description: "In a worker: say what was done with a delivered command.",
    input: z.object({ seq: z.int().min(0), status: z.string().min(1), correlation_id: z.string().optional() }),
    output: Ok,
    effect: {},
  }),
  claws_schema_list: defineTool({
    name: "claws_schema_list",
    title: "List schemas",
    description: "List the schemas of events.",
    input: z.object({}),
    output: listSchemasRequest.reply,
    effect: { reads: true, repeatable: true },
  }),
  claws_schema_get: defineTool({
    name: "claws_schema_get",
    title: "Show a schema",
    description: "Show the JSON Schema of an event.",
    input: z.object({ name: z.string().min(1) }),
    output: showSchemaRequest.reply,
    effect: { reads: true, repeatable: true },
  }),
  claws_rpc_call: defineTool({
    name: "claws_rpc_call",
    title: "Call a peer",
    description: "Call a method that a peer offers, and wait for its answer.",
    input: z.object({
      targetPeerId: z.string().min(1),
      method: z.string().min(1),
      params: z.record(z.string(), z.unknown()).optional(),
      timeoutMs: z.number().positive().optional(),
    }),
    output: callPeerRequest.reply,
    effect: { leads: true },
  }),
  claws_drain_events: defineTool({
    name: "claws_drain_events",
    title: "Drain events",
    description:
      "Take the events since the first call of this tool, or since an index. Pass total_received as since_index. A line of the text: sequence, time, sender, topic, payload.",
    input: z.object({
      since_index: z.int().min(0).optional(),
      wait_ms: z.number().min(0).max(45_000).optional(),
      max: z.int().min(1).max(1000).optional(),
    }),
    output: z.object({
      events: z.array(z.looseObject({ absoluteIndex: z.number(), topic: z.string(), sequence: z.number() })),
      total_received: z.number(),
      dropped: z.number(),
      subscribe_cursor: z.string(),
    }),
    effect: { reads: true, repeatable: true },
  }),
} as const;
