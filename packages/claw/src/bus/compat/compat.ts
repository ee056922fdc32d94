import { ENVELOPE_VERSION, isEnveloped, PUBLISH_FORBIDDEN } from "claw-contract/schemas";
import { isObject } from "claw-contract";
import type { Ids } from "../ids.ts";
import type { ConnectedPeers } from "../peers/connected-peers.ts";
import type { Server } from "../server.ts";
import type { Subscribing } from "../delivery/subscription.ts";
import { openSubscription } from "../delivery/subscription.ts";
import type { Peer } from "../peers/peer.ts";

/** Processes of one worker share an environment, so they have the same name and the same terminal. */
const isSameWorker = (peer: Peer, other: Peer): boolean =>
  other.role === "worker" && other.name === peer.name && other.terminalId === peer.terminalId;

/**
 * Older workers publish under a name from their environment instead of their peer id. The first use binds that name
 * to the connection; it is refused while another worker here has it. Returns the refusal.
 */
export function claimName(
  context: Subscribing & Pick<ConnectedPeers, "peers">,
  peer: Peer,
  topic: string,
): string | undefined {
  if (peer.role !== "worker" || !topic.startsWith("worker.")) return undefined;
  const named = topic.split(".")[1] ?? "";
  if (named === peer.id || named === peer.alias) return undefined;
  for (const other of context.peers.values()) {
    if (other.id === named || (other.alias === named && !isSameWorker(peer, other))) return PUBLISH_FORBIDDEN;
  }
  if (peer.alias !== undefined) return undefined;
  peer.alias = named;
  openSubscription(context, peer, `cmd.${named}.**`, { automatic: true });
  return undefined;
}

const OLD_SCHEMA = "claws/2";

/**
 * Passes on a payload that does not fit its schema, like older servers: an envelope gets the server's stamp, a bare
 * payload gets an envelope.
 */
export function wrapMalformed(payload: unknown, peer: Peer, tsServer: string): string {
  if (isEnveloped(payload) && isObject(payload)) {
    const { ts_server: _theirs, ...sent } = payload;
    return JSON.stringify({ ...sent, from_peer: peer.id, ts_server: tsServer });
  }
  return JSON.stringify({
    v: ENVELOPE_VERSION,
    id: crypto.randomUUID(),
    from_peer: peer.id,
    from_name: peer.name,
    ts_published: tsServer,
    schema: OLD_SCHEMA,
    data: payload ?? {},
    ts_server: tsServer,
  });
}

interface Numbering extends Pick<Ids, "nextCommandNumber">, Pick<Server, "policy">, Pick<Subscribing, "log"> {}

/** Older clients look for a counter in the header of a command. */
export function numberCommand(context: Numbering, text: string): string {
  const prefix = "[CLAWS_CMD ";
  if (context.policy !== "compat" || !text.startsWith(prefix)) return text;
  return `${prefix}seq=${context.nextCommandNumber(context.log.head())} ${text.slice(prefix.length)}`;
}
