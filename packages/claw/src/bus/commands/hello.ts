import type { Capability, Peer, Role } from "../peer.ts";
import { CAPABILITIES, NEW_WORKER } from "../peer.ts";
import { publishSystem } from "../system-events.ts";
import type { Command, CommandCall } from "./command.ts";
import { error, ok } from "./command.ts";
import { openSubscription } from "./subscribe.ts";

const SERVER_CAPABILITIES = ["push", "broadcast", "tasks", ...CAPABILITIES];

const isRole = (value: unknown): value is Role =>
  value === "orchestrator" || value === "worker" || value === "observer";

function capabilitiesOf(value: unknown): Set<Capability> {
  const named = Array.isArray(value) ? value : [];
  return new Set(CAPABILITIES.filter((capability) => named.includes(capability)));
}

const nameOf = (value: unknown): string =>
  typeof value === "string" && value !== "" ? value.slice(0, 200) : "unnamed";

function register({ context, session, request }: CommandCall, role: Role): Peer {
  const now = context.now();
  const peer: Peer = {
    id: context.nextPeerId(),
    role,
    name: nameOf(request["peerName"]),
    connection: session.connection,
    capabilities: capabilitiesOf(request["capabilities"]),
    subscriptions: new Map(),
    joinedAt: now,
    worker: NEW_WORKER,
    lastSeen: now,
    stale: false,
  };
  context.peers.set(peer.id, peer);
  return peer;
}

const rootPresent = ({ context }: CommandCall): boolean =>
  [...context.peers.values()].some((peer) => peer.role === "orchestrator");

/** Introduces a client. Saying it again on the same connection changes nothing. */
export const hello: Command = {
  roles: undefined,
  run: (call, done) => {
    const { context, session, request } = call;
    if (request["protocol"] !== "claws/2") return done(error("hello requires protocol: claws/2"));
    const known = session.peer;
    const present = {
      protocol: "claws/2",
      serverCapabilities: SERVER_CAPABILITIES,
      rootOrchestratorPresent: rootPresent(call),
    };
    if (known !== undefined) return done(ok({ peerId: known.id, ...present, restored: false, idempotent: true }));
    const { role } = request;
    if (!isRole(role)) return done(error("unknown role"));
    const peer = register(call, role);
    session.peer = peer;
    if (role === "worker") {
      openSubscription(context, peer, `cmd.${peer.id}.**`);
      openSubscription(context, peer, "cmd.role.worker");
    }
    publishSystem(context, "system.peer.joined", {
      peerId: peer.id,
      role,
      peerName: peer.name,
      ts: context.timestamp(),
    });
    return done(ok({ peerId: peer.id, ...present, restored: false }));
  },
};
