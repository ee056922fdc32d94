import type { WireRole } from "claw-contract";
import type { Peer } from "../peers/peer.ts";
import type { TypingShelves } from "../terminals/type-text.ts";
import { typeText } from "../terminals/type-text.ts";
import type { DirectPush } from "./direct-push.ts";
import { isSubscribed } from "./direct-push.ts";

export const BROADCAST_TOPIC = "system.broadcast";

/** The peers of this machine, and the ways to them. */
export interface BroadcastShelves extends TypingShelves {
  readonly peers: ReadonlyMap<string, Peer>;
  readonly direct: DirectPush;
}

export interface BroadcastTo {
  readonly targetRole?: WireRole | "all" | undefined;
  readonly peerId?: string | undefined;
}

export const roleOf = ({ targetRole, peerId }: BroadcastTo): WireRole | "all" =>
  targetRole ?? (peerId === undefined ? "worker" : "all");

/** Peers of a role, `worker` unless another or `all` is named; with a peer id, that peer alone. */
export function targetsOf({ peers }: Pick<BroadcastShelves, "peers">, to: BroadcastTo): Peer[] {
  const role = roleOf(to);
  return [...peers.values()].filter(
    (peer) => (role === "all" || peer.role === role) && (to.peerId === undefined || peer.id === to.peerId),
  );
}

export interface Broadcast {
  readonly text: string;
  readonly from: string;
  /** Whether the text is typed into the peers' terminals too. */
  readonly inject: boolean;
}

/** How many terminals took a text, and for how many agents it waits as a command. */
interface Injected {
  readonly injected: number;
  readonly queued?: number;
}

async function injectInto(context: BroadcastShelves, peers: readonly Peer[], told: Broadcast): Promise<Injected> {
  const { text, from } = told;
  const terminals = peers.flatMap(({ terminalId }) => terminalId ?? []);
  const outcomes = await Promise.allSettled(
    terminals.map((terminalId) => typeText(context, { terminalId, text, paste: true, from })),
  );
  const failed = outcomes.filter((outcome) => outcome.status === "rejected");
  for (const { reason } of failed) context.report(`broadcast was not typed: ${String(reason)}`);
  const done = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? outcome.value : []));
  const queued = done.filter((how) => how === "commanded").length;
  return { injected: done.length - queued, ...(queued === 0 ? {} : { queued }) };
}

/**
 * Sends a broadcast to peers of this machine that do not get it by subscription, and types it into their terminals when
 * that is asked for. Resolves with how many peers got it.
 */
export async function tellTargets(
  context: BroadcastShelves,
  targets: readonly Peer[],
  told: Broadcast,
): Promise<{ deliveredTo: number } & Partial<Injected>> {
  const { text, from, inject } = told;
  const frame = { topic: BROADCAST_TOPIC, from, payload: { text } };
  const reached = targets.filter((peer) => isSubscribed(peer, BROADCAST_TOPIC) || context.direct.send(peer, frame));
  const deliveredTo = reached.length;
  return inject ? { deliveredTo, ...(await injectInto(context, targets, told)) } : { deliveredTo };
}
