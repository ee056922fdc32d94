import type { Capability, ReadRequest, ReplyFields, WireRole } from "claw-contract";
import { CAPABILITIES, isTopic } from "claw-contract";
import { appendEvents } from "../publish/store-event.ts";
import type { BusContext } from "../bus-context.ts";
import { hasRoot, namedLife, refuseJoining } from "../access/identity.ts";
import { openSubscription } from "../delivery/subscription.ts";
import type { Peer } from "../peers/peer.ts";
import { isRole, NEW_WORKER } from "../peers/peer.ts";
import { tellOfPeer } from "../delivery/push-live.ts";
import type { Life } from "../access/resume.ts";
import { newBootId, resumedLife, resumeFields, takeOverIdentity } from "../access/resume.ts";
import type { RequestCall } from "./request-handler.ts";
import { error, handleRequest, ok } from "./request-handler.ts";

const SERVER_CAPABILITIES = ["push", "broadcast", "tasks", ...CAPABILITIES];

const capabilitiesOf = (named: readonly unknown[] = []): Set<Capability> =>
  new Set(CAPABILITIES.filter((capability) => named.includes(capability)));

const peerNameOf = ({ peerName = "" }: ReadRequest<"hello">): string =>
  peerName === "" ? "unnamed" : peerName.slice(0, 200);

interface Registration {
  readonly role: WireRole;
  readonly life: Life | undefined;
  readonly speaksFor: string | undefined;
}

function register({ context, session, request }: RequestCall<"hello">, given: Registration): Peer {
  const { role, life, speaksFor } = given;
  const now = context.now();
  const capabilities = capabilitiesOf(request.capabilities);
  const { terminalId, waveId } = request;
  const peer: Peer = {
    id: life?.peerId ?? context.nextPeerId(),
    bootId: life?.bootId ?? newBootId(),
    role,
    name: life?.name ?? peerNameOf(request),
    connection: session.connection,
    capabilities,
    terminalId: terminalId === undefined ? undefined : String(terminalId),
    waveId,
    waveRole: request.subWorkerRole,
    correlationId: request.correlation_id,
    monitorOf: request.monitorCorrelationId,
    // The state of workers and waves depends on `system.peer.joined`, which is not stored for a transient peer.
    transient: speaksFor !== undefined || (capabilities.has("transient") && role !== "worker" && waveId === undefined),
    speaksFor,
    returns: life !== undefined || capabilities.has("resume"),
    alias: undefined,
    subscriptions: new Map(),
    joinedAt: now,
    booted: false,
    parentId: undefined,
    worker: life === undefined ? NEW_WORKER : takeOverIdentity(context, life.peerId),
    moving: 0,
    lastSeen: now,
    stale: false,
    owed: undefined,
    missedNotices: 0,
  };
  context.peers.set(peer.id, peer);
  context.missing.delete(peer.id);
  context.leftAt.delete(peer.id);
  return peer;
}

/**
 * The worker whose tool a client is: it asks for the capability `tool`, and its token fixes the worker's name. Null when
 * that worker is not connected; undefined for any other client.
 */
function masterOf(
  { context, session, request }: RequestCall<"hello">,
  role: WireRole,
  capabilities: ReadonlySet<Capability>,
): Peer | null | undefined {
  const name = peerNameOf(request);
  const isProved = context.access.originOf(session.connection) === `worker ${name}`;
  if (role !== "worker" || !capabilities.has("tool") || !isProved) return undefined;
  const workers = [...context.peers.values()].filter((peer) => peer.role === "worker" && peer.speaksFor === undefined);
  return workers.findLast((peer) => peer.name === name) ?? null;
}

/** Gives a client that comes back its subscriptions, and a new worker those every worker has. */
function subscribeAgain(context: BusContext, peer: Peer): boolean {
  const kept = context.kept.take(peer.id);
  for (const { pattern, ...options } of kept ?? []) openSubscription(context, peer, pattern, options);
  if (kept === undefined && peer.role === "worker" && peer.speaksFor === undefined) {
    for (const pattern of [`cmd.${peer.id}.**`, `cmd.role.${peer.role}`]) {
      openSubscription(context, peer, pattern, { automatic: true });
    }
  }
  return kept !== undefined;
}

function announce(context: BusContext, peer: Peer): void {
  const { id: peerId, role, name: peerName, terminalId, waveId, waveRole, correlationId, monitorOf } = peer;
  const ts = context.timestamp();
  const joined = { peerId, role, peerName, ts, terminalId, waveId, subWorkerRole: waveRole };
  tellOfPeer(context, peer, "system.peer.joined", joined);
  if (correlationId !== undefined) {
    const connected = { peer_id: peerId, correlation_id: correlationId, peer_name: peerName, role, ts };
    tellOfPeer(context, peer, "system.peer.connected", connected);
  }
  if (monitorOf !== undefined && context.state.lifecycle.isMonitorPending(monitorOf)) {
    const claimed = { correlation_id: monitorOf, peerId, ts };
    appendEvents(context, [{ topic: "lifecycle.monitor-claimed", payload: claimed }], () => undefined);
  }
}

/** A repeated hello changes the client's capabilities and wave, never its identity. */
function greetAgain({ context, request }: RequestCall<"hello">, peer: Peer): void {
  if (request.capabilities !== undefined) {
    peer.capabilities = capabilitiesOf(request.capabilities);
    context.fanout.refresh();
  }
  const { waveId, subWorkerRole: waveRole } = request;
  if (waveId === undefined && waveRole === undefined) return;
  peer.waveId = waveId ?? peer.waveId;
  peer.waveRole = waveRole ?? peer.waveRole;
  context.forgetPlans(peer.id);
  const { id: peerId, name: peerName, terminalId } = peer;
  const ts = context.timestamp();
  const payload = { peerId, peerName, terminalId, waveId: peer.waveId, subWorkerRole: peer.waveRole, ts };
  const topic = `wave.${peer.waveId ?? ""}.joined`;
  if (isTopic(topic)) appendEvents(context, [{ topic, payload }], () => undefined);
}

/** Facts about the server in the answer to hello. */
const presentTo = (
  context: BusContext,
): Pick<ReplyFields<"hello">, "protocol" | "serverCapabilities" | "rootOrchestratorPresent" | "durability"> => ({
  protocol: "claws/2",
  serverCapabilities: SERVER_CAPABILITIES,
  rootOrchestratorPresent: hasRoot(context),
  ...(context.about.durability === undefined ? {} : { durability: context.about.durability }),
});

/** Introduces a client. */
export const handleHello = handleRequest("hello", (call, done) => {
  const { context, session, request, peer: known } = call;
  if (known !== undefined) {
    greetAgain(call, known);
    const again = { restored: false, idempotent: true as const, ...resumeFields(context, known) };
    return done(ok({ peerId: known.id, ...presentTo(context), ...again }));
  }
  const { role } = request;
  if (!isRole(role)) return done(error("unknown role"));
  const resumed = resumedLife(context, request, role);
  const life = resumed ?? namedLife(request, role, peerNameOf(request));
  const capabilities = capabilitiesOf(request.capabilities);
  const refusal = refuseJoining(context, request, { role, peerId: life?.peerId, capabilities });
  if (refusal !== undefined) return done(error(refusal));
  const master = masterOf(call, role, capabilities);
  if (master === null) return done(error("the worker of this token is not connected"));
  const peer = register(call, { role, life, speaksFor: master?.id });
  session.peer = peer;
  const restored = subscribeAgain(context, peer) || resumed !== undefined;
  announce(context, peer);
  return done(ok({ peerId: peer.id, ...presentTo(context), restored, ...resumeFields(context, peer) }));
});
