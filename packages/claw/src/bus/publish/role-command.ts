import { isSubscribed } from "../delivery/direct-push.ts";
import type { Peer } from "../peers/peer.ts";
import { COMMAND_ACCEPTED } from "../state/deliveries.ts";
import type { ConnectedPeers } from "../peers/connected-peers.ts";
import type { Store } from "./store-event.ts";
import { publishSystem } from "./store-event.ts";

export interface RoleCommand {
  /** `cmd.role.<role>`. */
  readonly topic: string;
  /** Id of the command's envelope. */
  readonly commandId: string;
  readonly echo: boolean;
}

/**
 * Peers that get a command for a role: connected peers of the role with a subscription to the topic, as every worker
 * has.
 */
function membersOf(context: Pick<ConnectedPeers, "peers">, sender: Peer, { topic, echo }: RoleCommand): Peer[] {
  const role = topic.slice(topic.lastIndexOf(".") + 1);
  return [...context.peers.values()].filter(
    (peer) => peer.role === role && (echo || peer !== sender) && isSubscribed(peer, topic),
  );
}

/** Notes a receipt for each member, right before the command and in one commit with it. */
export function acceptForMembers(
  context: Store & Pick<ConnectedPeers, "peers">,
  sender: Peer,
  command: RoleCommand,
): void {
  const { topic: cmdTopic, commandId } = command;
  const ts = context.timestamp();
  for (const { id: targetPeerId } of membersOf(context, sender, command)) {
    publishSystem(context, COMMAND_ACCEPTED, { commandId, targetPeerId, cmdTopic, from: sender.id, ts });
  }
}
