import type { JsonObject, Phase } from "claw-contract";
import type { Client } from "../client.ts";
import type { Receipt } from "../publishing/spool.ts";
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
