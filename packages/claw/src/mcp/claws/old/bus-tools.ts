import { ClawError } from "claw-contract";
import { drain } from "./drain-events.ts";
import { logHead } from "./log-place.ts";
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
