import { ClawError } from "claw-contract";
import { itemsJson, keepJson } from "../../../verbs/index.ts";
import type { ToolPorts } from "../tool-host.ts";
import type { Stored } from "../tools/events.ts";
import { readEvents } from "../tools/events.ts";
import type { OldHandler, OldHandlers } from "./old-tool.ts";
import { request, requestEverywhere } from "./old-tool.ts";

type Names =
  | "claws_hello"
  | "claws_subscribe"
  | "claws_broadcast"
  | "claws_ping"
  | "claws_peers"
  | "claws_deliver_cmd"
  | "claws_cmd_ack"
  | "claws_schema_list"
  | "claws_schema_get"
  | "claws_rpc_call"
  | "claws_drain_events";

/** The role of a connection is given by where the server was started. Asking for another one is refused. */
const hello: OldHandler<"claws_hello"> = async ({ role }, { ports, host }) => {
  if (role !== host.caller.role) {
    throw new ClawError("PERMISSION_DENIED", `this connection is of role ${host.caller.role}, not ${role}`, {
      operation: "hello",
      target: role,
      hint: "The role follows from where the server was started: in a worker, worker; else, orchestrator.",
    });
  }
  const { peers } = await request(ports, "peers");
  const { capabilities } = await request(ports, "introspect");
  const roots = peers.filter(({ role: each }) => each === "orchestrator");
  return {
    peerId: host.seat.peerId() ?? "",
    role,
    serverCapabilities: capabilities,
    rootOrchestratorPresent: roots.length > 0,
  };
};

/** Splits a cursor into the log's epoch and the sequence. */
function placeOf(cursor: string): { readonly epoch: string; readonly sequence: number } {
  const [epoch = "0000", sequence = "0"] = cursor.split(":");
  return { epoch, sequence: Number(sequence) };
}

async function logHead(ports: ToolPorts): Promise<string> {
  const { log } = await request(ports, "introspect");
  return `${log.epoch}:${log.head}`;
}

const DEFAULT_MAX = 100;
/** A client that asks for many events at once gets them at once. */
const DRAIN_BYTES = 1024 * 1024;

/** An event with the members that older clients read. */
const drained = ({ sequence, topic, from, payload, ts_server: storedAt }: Stored) => ({
  absoluteIndex: sequence - 1,
  topic,
  from,
  payload,
  sentAt: Date.parse(String(storedAt)),
  sequence,
});

type Drained = ReturnType<typeof drained>;

const PAYLOAD = ',"payload":';

/**
 * The JSON of an event, with the payload taken from the JSON of its item, where it stands last. A quote inside of a
 * text has a backslash before it, so no text holds the mark.
 */
function drainedJson({ absoluteIndex, topic, from, payload, sentAt, sequence }: Drained, item: string): string {
  const at = payload === undefined ? -1 : item.indexOf(PAYLOAD);
  const body = at === -1 ? "" : item.slice(at, -1);
  const sender = from === undefined ? "" : `,"from":${JSON.stringify(from)}`;
  const head = `{"absoluteIndex":${absoluteIndex},"topic":${JSON.stringify(topic)}${sender}`;
  return `${head}${body},"sentAt":${sentAt},"sequence":${sequence}}`;
}

/** Events behind an index. An event's index is its place in the log, counted from zero, so that no event moves. */
const drain: OldHandler<"claws_drain_events"> = async (input, { ports, host }) => {
  const { since_index: index = 0, wait_ms: waitMs = 0, max = DEFAULT_MAX } = input;
  const begun = placeOf((host.old.from ??= await logHead(ports)));
  const since = `${begun.epoch}:${Math.max(index, begun.sequence)}`;
  const asked = {
    topic: host.old.topics.length === 0 ? undefined : [...host.old.topics],
    since,
    limit: max,
    bytes: DRAIN_BYTES,
  };
  const part = await readEvents(asked, ports, waitMs / 1000);
  const events = part.events.map(drained);
  const items = itemsJson(part.events);
  const written = items?.map((item, at) => drainedJson(events[at] as Drained, item));
  if (written !== undefined) keepJson(events, written);
  const total = events.at(-1)?.sequence ?? placeOf(part.cursor).sequence;
  return { events, total_received: total, dropped: 0, subscribe_cursor: part.cursor };
};

/** The bus: peers, events, commands. */
export const BUS_HANDLERS: OldHandlers<Names> = {
  claws_hello: hello,
  claws_subscribe: async ({ topic }, { ports, host }) => {
    const resumeCursor = (host.old.from ??= await logHead(ports));
    host.old.topics.push(topic);
    return { subscriptionId: `drain_${host.old.topics.length}`, resumeCursor };
  },
  claws_broadcast: (input, { ports }) => request(ports, "broadcast", input),
  claws_ping: (_input, { ports }) => request(ports, "ping"),
  claws_peers: async (_input, { ports }) => ({
    peers: (await requestEverywhere(ports, "peers")).flatMap(({ peers }) => peers),
  }),
  claws_deliver_cmd: (input, { ports }) => request(ports, "deliver-cmd", input),
  claws_cmd_ack: async (input, { ports }) => {
    await request(ports, "cmd.ack", input);
    return { ok: true };
  },
  claws_schema_list: (_input, { ports }) => request(ports, "schema.list"),
  claws_schema_get: (input, { ports }) => request(ports, "schema.get", input),
  claws_rpc_call: (input, { ports }) => request(ports, "rpc.call", input),
  claws_drain_events: drain,
};
