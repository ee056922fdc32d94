import { LIMITS } from "claw-contract";
import type { Guard } from "./access/access.ts";
import type { BusContext } from "./bus-context.ts";
import type { Gated } from "./publish/gates.ts";
import { passRate } from "./publish/gates.ts";
import { leave } from "./peers/leaving.ts";
import type { Peer } from "./peers/peer.ts";
import type { IncomingCall, RequestOutcome, RequestHandler, Session } from "./requests/request-handler.ts";
import { error } from "./requests/request-handler.ts";
import {
  findHandler,
  frameOf,
  refuseFailed,
  requestName,
  runHandler,
  shownName,
  stackOf,
} from "./requests/running/run-request.ts";
import type { Placed } from "./routing/home-of-request.ts";
import { isFenced } from "./access/resume.ts";
import type { TransportConnection, ConnectionHandler, Entrance } from "./transports/transport.ts";
import type { WireRequest } from "./wire/wire.ts";
import { isKnownProtocol, readRequest, refuseRequest } from "./wire/wire.ts";

interface Incoming {
  readonly request: WireRequest;
  readonly line: string;
  readonly guard: Guard;
}

/** A call of a client that has said hello. */
interface RoutedCall extends IncomingCall {
  readonly peer: Peer;
}

/**
 * Has the daemon of another machine answer a request. A function apart: the requests that are answered here, nearly all, need
 * none of its closures (bench bus, "server time for an event").
 */
function runElsewhere(
  { machine, request }: Placed,
  { call, handler }: { readonly call: RoutedCall; readonly handler: RequestHandler },
  sent: WireRequest,
): void {
  const { context, session, peer, line } = call;
  const answerHere = (): Promise<string> =>
    new Promise((resolve) => runHandler(handler, call, (outcome) => resolve(frameOf(sent, outcome))));
  const asSent = request === call.request ? line : undefined;
  const routable = { name: handler.name, peer, request, line: asSent, answerHere };
  void context.routing.forward(machine, routable).then((frame) => session.connection.send(frame));
}

/**
 * Runs one request. An error that a handler throws becomes an answer, never an exception: no client can end the
 * process.
 */
function run(context: BusContext, session: Session, { request: sent, line, guard }: Incoming): void {
  const { connection, peer } = session;
  const answer = (outcome: RequestOutcome): void => connection.send(frameOf(sent, outcome));
  if (!isKnownProtocol(sent)) return answer(error("incompatible protocol version"));
  const handler = findHandler(context, sent);
  try {
    const decision = guard.check(sent, handler?.isRestricted !== false);
    if (decision.kind === "refused") return answer(error(decision.error, decision.more));
    if (handler === undefined) return answer(error(`unknown cmd: ${shownName(requestName(sent))}`));
    const gated = passOwnRate(context, session, handler);
    if (gated?.kind === "refused") return answer(error(gated.error, gated.more));
    // One object for routing and handler: copying it is dear at this rate (bench bus, "window 100, relaxed").
    const call = { context, session, peer, request: decision.request, line };
    const placed = context.routing.elsewhere(handler.name, call);
    if (peer === undefined || placed === undefined) return handler.run(call, answer);
    runElsewhere(placed, { call: { ...call, peer }, handler }, sent);
  } catch (failure) {
    answer(refuseFailed(context, sent, failure));
  }
  return undefined;
}

/** Counts a request against the peer's rate for that request name, when its handler asks for a rate limit. */
const passOwnRate = (context: BusContext, session: Session, { name, isRated }: RequestHandler): Gated | undefined =>
  isRated ? passRate(context, publisherIn(context, session), name) : undefined;

/** The peer whose rate a request counts against. Before hello, all clients of one origin share one rate. */
const publisherIn = ({ access }: BusContext, { connection, peer }: Session): Pick<Peer, "id" | "connection"> =>
  peer ?? { id: `nobody of ${access.originOf(connection)}`, connection };

function take(context: BusContext, session: Session, text: string, guard: Guard): void {
  const { connection, peer } = session;
  const reading = readRequest(text);
  if (peer !== undefined && isFenced(context, peer)) {
    const request = reading.kind === "request" ? reading.request : {};
    connection.send(refuseRequest(request, "fenced: a newer connection took over"));
    return;
  }
  if (peer !== undefined) seen(context, peer);
  if (reading.kind === "refused") connection.send(refuseRequest({}, reading.error));
  if (reading.kind === "request") run(context, session, { request: reading.request, line: text, guard });
  if (guard.locked()) connection.end();
}

/**
 * Whether a line is too long for a client that owes a token. Transports check the limit only on lines that have not
 * ended.
 */
function isEarly(text: string, guard: Guard): boolean {
  const limit = guard.lineLimit();
  return limit < LIMITS.requestLineBytes && Buffer.byteLength(text) > limit;
}

/** Serves a client of the bus, from the first line until the connection ends. */
export function createClientHandler(
  context: BusContext,
  connection: TransportConnection,
  entrance: Entrance = { surface: "local" },
): ConnectionHandler {
  const session: Session = { connection, peer: undefined };
  const guard = context.access.guard(connection, entrance);
  let refusing = false;
  const oversize = (): void => {
    if (refusing) return;
    refusing = true;
    connection.send(refuseRequest({}, "request too large"));
    connection.end();
  };
  return {
    rest: () => context.log.flush(),
    lineLimit: () => guard.lineLimit(),
    oversize,
    line: (text) => {
      if (refusing) return;
      if (isEarly(text, guard)) return oversize();
      try {
        take(context, session, text, guard);
      } catch (failure) {
        // No error caused by a client's line may pass this point, least of all an unexpected error.
        context.report(`a line could not be answered: ${stackOf(failure)}`);
        connection.send(refuseRequest({}, "internal error"));
      }
    },
    drained: () => {
      for (const subscription of session.peer?.subscriptions.values() ?? []) subscription.wake?.();
    },
    closed: (by) => {
      if (session.peer === undefined) context.rates.leave(publisherIn(context, session).id);
      guard.closed();
      if (session.peer !== undefined && !isFenced(context, session.peer)) leave(context, session.peer, by);
    },
  };
}

/** Any frame is a sign of life. */
function seen(context: BusContext, peer: Peer): void {
  peer.lastSeen = context.now();
  peer.stale = false;
}
