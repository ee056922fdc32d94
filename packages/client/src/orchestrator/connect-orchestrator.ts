import type { JsonObject } from "claw-contract";
import type { Client, ClientOptions } from "../client.ts";
import { createClient } from "../create-client.ts";
import type { Receipt } from "../publishing/spool.ts";
import type { Orchestrator } from "./orchestrator.ts";
import { createWorkersView } from "./workers-view.ts";

/**
 * Commands that answer a worker's request carry the request id twice: in the data, as the wire requires, and in the
 * envelope.
 */
function createCommands(client: Client) {
  const send = (peerId: string, action: string, data: JsonObject): Promise<Receipt> =>
    client.publish(`cmd.${peerId}.${action}`, data);
  const answer = (peerId: string, action: string, requestId: string, data: JsonObject): Promise<Receipt> =>
    client.publish(`cmd.${peerId}.${action}`, { correlation_id: requestId, ...data }, { correlationId: requestId });
  return { send, answer };
}

/** Joins the bus as an orchestrator. Returns at once; published events wait for the connection. */
export function connectOrchestrator(options: ClientOptions): Orchestrator {
  const client = createClient("orchestrator", options);
  const { send, answer } = createCommands(client);
  return {
    ...client,
    approve: (peerId, requestId, payload) => answer(peerId, "approve", requestId, { payload }),
    reject: (peerId, requestId, reason) => answer(peerId, "reject", requestId, { reason }),
    unblock: (peerId, requestId, payload) => answer(peerId, "unblock", requestId, { payload }),
    abort: (peerId, reason) => send(peerId, "abort", { reason }),
    pause: (peerId) => send(peerId, "pause", {}),
    resume: (peerId) => send(peerId, "resume", {}),
    setPhase: (peerId, phase, reason) => send(peerId, "set_phase", { phase, reason }),
    spawn: (peerId, input) => send(peerId, "spawn", { ...input }),
    injectText: (peerId, text, { paste } = {}) => send(peerId, "inject_text", { text, paste }),
    broadcast: (command, fields = {}, role = "worker") => client.publish(`cmd.role.${role}`, { ...fields, command }),
    workers: ({ from } = {}) => createWorkersView(client, from),
  };
}
