import { randomUUID } from "node:crypto";
import type { ReadRequest, ReplyFields, WireRole } from "claw-contract";
import { LIMITS } from "claw-contract";
import type { Delivery } from "../delivery/delivery.ts";
import type { EventLog } from "../log/index.ts";
import type { ConnectedPeers } from "../peers/connected-peers.ts";
import type { Server } from "../server.ts";
import type { Knowledge } from "../state/knowledge.ts";
import type { Admission } from "./admission.ts";
import { keepSubscriptions } from "../delivery/kept-subscriptions.ts";
import { closeSubscription, cursorOf } from "../delivery/subscription.ts";
import type { Peer, WorkerProgress } from "../peers/peer.ts";
import { isRole } from "../peers/peer.ts";
import { readSignedClaim, signClaim } from "./tokens/index.ts";

const PREFIX = "resume1";

/** The identity of a client beyond one connection. */
export interface Life {
  readonly peerId: string;
  readonly bootId: string;
  readonly role: WireRole;
  readonly name: string;
}

export interface ResumeTokens {
  issue(life: Life): string;
  /**
   * Undefined for a token not issued here. An expired token is still read: `resumedLife` accepts it from a recent
   * client.
   */
  read(token: unknown): (Life & { readonly expiresAt: number }) | undefined;
}

export function createResumeTokens(secret: Uint8Array, now: () => number): ResumeTokens {
  return {
    issue: ({ peerId, bootId, role, name }) =>
      signClaim(secret, PREFIX, { peerId, bootId, role, name, expiresAt: now() + LIMITS.resumeTokenMs }),
    read: (token) => {
      if (typeof token !== "string" || token.length > LIMITS.tokenLength) return undefined;
      const claim = readSignedClaim(secret, PREFIX, token) as Partial<Life & { expiresAt: number }> | undefined;
      const { peerId, bootId, role, name, expiresAt = 0 } = claim ?? {};
      if (peerId === undefined || bootId === undefined || name === undefined || !isRole(role)) return undefined;
      return { peerId, bootId, role, name, expiresAt };
    },
  };
}

/** Shelves that decide whether a client may come back. */
interface Returning
  extends Pick<Admission, "resume">, Pick<ConnectedPeers, "peers">, Pick<Knowledge, "state">, Pick<Server, "now"> {}

/**
 * A connection may outlast its resume token. A client that is connected, or left recently, may still come back with an
 * expired token.
 */
function isCurrent(context: Returning, peerId: string, expiresAt: number): boolean {
  const { presence } = context.state;
  if (expiresAt > context.now() || context.peers.has(peerId) || presence.present().has(peerId)) return true;
  return (presence.leftAt(peerId) ?? -Infinity) + LIMITS.resumeTokenMs > context.now();
}

/** The life that a hello continues; undefined when a new life begins. A token of another role or name is ignored. */
export function resumedLife(
  context: Returning,
  { resumeToken, peerName }: Pick<ReadRequest<"hello">, "resumeToken" | "peerName">,
  role: WireRole,
): Life | undefined {
  const read = context.resume.read(resumeToken);
  if (read === undefined || read.role !== role) return undefined;
  const { expiresAt, ...life } = read;
  if (!isCurrent(context, life.peerId, expiresAt)) return undefined;
  return peerName === undefined || peerName === life.name ? life : undefined;
}

export const newBootId = (): string => randomUUID();

interface TakingOver extends Pick<ConnectedPeers, "peers" | "calls">, Pick<Knowledge, "state">, Delivery {}

/** Gives the state of a worker that comes back. Closes the worker's older connection, if still open. */
export function takeOverIdentity(context: TakingOver, peerId: string): WorkerProgress {
  const stale = context.peers.get(peerId);
  if (stale === undefined) return context.state.workers.of(peerId);
  context.peers.delete(peerId);
  context.calls.leave(peerId);
  keepSubscriptions(context, stale);
  for (const subscription of stale.subscriptions.values()) closeSubscription(context, subscription);
  if (stale.capabilities.size > 0) {
    stale.connection.send(JSON.stringify({ push: "fenced", protocol: "claws/2", peerId, reason: "taken-over" }));
  }
  stale.connection.end();
  return stale.worker;
}

/** Whether a newer connection of the same client took this one's place. */
export const isFenced = (context: Pick<ConnectedPeers, "peers">, peer: Peer): boolean =>
  context.peers.get(peer.id) !== peer;

interface Greeting extends Pick<Admission, "resume">, Pick<Knowledge, "state"> {
  readonly log: EventLog;
}

/**
 * Fields of the answer to hello, by the client's capabilities: the end of the log, and a token to come back as the same
 * peer.
 */
export function resumeFields(
  context: Greeting,
  peer: Peer,
): Pick<ReplyFields<"hello">, "resumeCursor" | "bootId" | "resumeToken" | "phase"> {
  const { id: peerId, bootId, role, name, capabilities } = peer;
  const follows = capabilities.has("resume") || capabilities.has("gap");
  return {
    ...(follows ? { resumeCursor: cursorOf(context.log, context.log.head()) } : {}),
    ...(capabilities.has("resume")
      ? { bootId, resumeToken: context.resume.issue({ peerId, bootId, role, name }) }
      : {}),
    ...(capabilities.has("resume") && role === "worker" ? { phase: context.state.workers.of(peerId).phase } : {}),
  };
}
