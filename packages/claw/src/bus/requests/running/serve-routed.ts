import { isObject } from "claw-contract";
import type { BusContext } from "../../bus-context.ts";
import type { Peer } from "../../peers/peer.ts";
import type { RequestOutcome, Session } from "../request-handler.ts";
import { error } from "../request-handler.ts";
import { findHandler, frameOf, runHandler } from "./run-request.ts";
import type { TransportConnection } from "../../transports/transport.ts";
import { readRequest } from "../../wire/wire.ts";
import type { RoutedPeer, RoutedReply, RoutedRequest } from "../../routing/routed-texts.ts";
import type { Asked, Router } from "../../routing/router.ts";

/** Stands for the connection of a peer on another machine. The peer's own daemon sends answers and events. */
const createNoConnection = (): TransportConnection => ({
  send: () => undefined,
  congested: () => false,
  end: () => undefined,
});

/** Why a daemon does not speak for a peer: the log knows the peer as another machine's, or with another role. */
function refusePeer({ state }: BusContext, { id, role, speaksFor }: RoutedPeer, from: string): string | undefined {
  const homes = [id, ...(speaksFor === undefined ? [] : [speaksFor])].map((each) => state.presence.homeOf(each));
  if (homes.some((home) => home !== undefined && home !== from)) return "the peer is not one of the asking machine";
  const known = state.presence.present().get(id);
  return known === undefined || known === role ? undefined : "the peer has another role";
}

const peerOf = (context: BusContext, routed: RoutedPeer, connection: TransportConnection): Peer => ({
  ...routed,
  connection,
  capabilities: new Set(routed.capabilities),
  correlationId: undefined,
  monitorOf: undefined,
  transient: true,
  returns: false,
  alias: undefined,
  subscriptions: new Map(),
  joinedAt: context.now(),
  bootId: "",
  worker: context.state.workers.of(routed.speaksFor ?? routed.id),
  booted: false,
  moving: 0,
  lastSeen: context.now(),
  stale: false,
  missedNotices: 0,
  owed: undefined,
});

/** Answers the requests that other machines' daemons bring for their peers. Never rejects. */
function createServing(context: BusContext): (asked: Asked) => Promise<string> {
  const connection = createNoConnection();
  // Peers of other machines are no local clients, and share their rates with no local client.
  context.access.guard(connection, { surface: "network" });
  const answerTo = (routed: RoutedRequest, from: string): Promise<string> =>
    new Promise((resolve) => {
      const reading = readRequest(routed.line);
      const request = reading.kind === "request" ? reading.request : {};
      const answer = (outcome: RequestOutcome): void => resolve(frameOf(request, outcome));
      const refusal = refusePeer(context, routed.peer, from);
      const handler = findHandler(context, request);
      if (refusal !== undefined) return answer(error("auth:invalid", { reason: refusal }));
      if (handler === undefined) return answer(error("unknown cmd"));
      const peer = peerOf(context, routed.peer, connection);
      const session: Session = { connection, peer };
      return runHandler(handler, { context, session, peer, request, line: routed.line }, answer);
    });
  return async ({ from, question }) => {
    const routed: unknown = JSON.parse(question);
    if (!isObject(routed) || !isObject(routed["peer"])) throw new Error(`${from} asked with another text`);
    const { peer, through } = routed as unknown as RoutedRequest;
    await context.routing.passage.whenPassed(through);
    const frame = await answerTo(routed as unknown as RoutedRequest, from);
    if (!context.peers.has(peer.id)) context.rates.leave(peer.id);
    const reply: RoutedReply = { frame, through: context.projections.through() };
    return JSON.stringify(reply);
  };
}

/** From now on, this daemon answers requests of peers of other machines. */
export const serveRouted = (context: BusContext, router: Router): void => router.serve(createServing(context));
