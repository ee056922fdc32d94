import type { JsonObject, Phase } from "claw-contract";
import type { Client, ClientOptions } from "../client.ts";
import { createClient } from "../create-client.ts";
import type { ClientRole } from "../connection/hello.ts";
import type { Receipt } from "../publishing/spool.ts";
import { createWorkersView } from "./workers-view.ts";
import type { WorkersView } from "./workers-view.ts";

export interface SpawnInput {
  readonly name: string;
  readonly mission: string;
  readonly model?: string;
}

/**
 * An orchestrator on the bus. Commands resolve with the receipt of their publication. The receipt says that the command
 * is stored and how many subscriptions it matched, not that the worker has obeyed. Commands reject as `publish` does.
 */
export interface Orchestrator extends Client {
  /** Answers a REQUEST or BLOCKED event; `requestId` is the `request_id` of that event. */
  approve(peerId: string, requestId: string, payload?: JsonObject): Promise<Receipt>;
  reject(peerId: string, requestId: string, reason: string): Promise<Receipt>;
  unblock(peerId: string, requestId: string, payload?: JsonObject): Promise<Receipt>;
  abort(peerId: string, reason: string): Promise<Receipt>;
  pause(peerId: string): Promise<Receipt>;
  resume(peerId: string): Promise<Receipt>;
  /** Lets the worker enter one phase that the order of phases forbids. */
  setPhase(peerId: string, phase: Phase, reason: string): Promise<Receipt>;
  /** Tells the worker to spawn a child worker. */
  spawn(peerId: string, input: SpawnInput): Promise<Receipt>;
  injectText(peerId: string, text: string, options?: { readonly paste?: boolean }): Promise<Receipt>;
  /** One command for every worker of a role, `worker` unless given. */
  broadcast(command: string, fields?: JsonObject, role?: string): Promise<Receipt>;
  /**
   * A view of all workers, from the oldest stored event or from a cursor. The caller closes the view; it also ends with
   * the client.
   */
  workers(options?: { readonly from?: string }): WorkersView;
}

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

/**
 * Joins the bus in a role that is known at run time only. The bus refuses what the role may not do. Returns at once;
 * published events wait for the connection.
 */
export function connectMember(role: ClientRole, options: ClientOptions): Orchestrator {
  const client = createClient(role, options);
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

/** Joins the bus as an orchestrator. Returns at once; published events wait for the connection. */
export const connectOrchestrator = (options: ClientOptions): Orchestrator => connectMember("orchestrator", options);
