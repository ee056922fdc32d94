import { createHash } from "node:crypto";
import type { ReadRequest, WireRole } from "claw-contract";
import type { ConnectedPeers } from "../peers/connected-peers.ts";
import type { Server } from "../server.ts";
import type { Life } from "./resume.ts";
import { newBootId } from "./resume.ts";

const FINGERPRINT_LENGTH = 12;

/** The life of a client that sends an instance nonce. The same name, role and nonce give the same peer id. */
export function namedLife(
  { instanceNonce: nonce }: Pick<ReadRequest<"hello">, "instanceNonce">,
  role: WireRole,
  name: string,
): Life | undefined {
  if (nonce === undefined) return undefined;
  const digest = createHash("sha256").update([name, role, nonce].join("\0")).digest("hex");
  return { peerId: `fp_${digest.slice(0, FINGERPRINT_LENGTH)}`, bootId: newBootId(), role, name };
}

const isRoot = (peer: { role: WireRole; waveId?: unknown; correlationId?: unknown }): boolean =>
  peer.role === "orchestrator" && peer.waveId === undefined && peer.correlationId === undefined;

export const hasRoot = (context: Pick<ConnectedPeers, "peers">): boolean => [...context.peers.values()].some(isRoot);

export interface Newcomer {
  readonly role: WireRole;
  /** Peer id from a resume token or an instance nonce; undefined when the bus will choose the id. */
  readonly peerId: string | undefined;
  readonly capabilities: ReadonlySet<unknown>;
}

interface Company extends Pick<ConnectedPeers, "peers">, Pick<Server, "policy"> {}

/** Why a client may not join as it asks to; undefined when it may. */
export function refuseJoining(
  context: Company,
  { correlation_id: correlationId, waveId }: Pick<ReadRequest<"hello">, "correlation_id" | "waveId">,
  newcomer: Newcomer,
): string | undefined {
  const { role, peerId, capabilities } = newcomer;
  const others = [...context.peers.values()].filter(({ id }) => id !== peerId);
  const holder = others.find((peer) => correlationId !== undefined && peer.correlationId === correlationId);
  if (holder !== undefined) return `correlation_id ${correlationId} already registered to peer ${holder.id}`;
  const isOldRoot = (peer: Parameters<typeof isRoot>[0] & { capabilities: ReadonlySet<unknown> }): boolean =>
    isRoot(peer) && peer.capabilities.size === 0;
  const asRoot = isOldRoot({ role, waveId, correlationId, capabilities });
  if (context.policy === "compat" && asRoot && others.some(isOldRoot)) return "root orchestrator already registered";
  return undefined;
}
