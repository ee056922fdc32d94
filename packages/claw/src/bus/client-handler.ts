import { ClawError, LIMITS } from "@claw/contract";
import type { Guard } from "./access/access.ts";
import { isHarmless } from "./access/access.ts";
import type { BusContext } from "./bus-context.ts";
import type { CommandResult, Session } from "./commands/command.ts";
import { COMMANDS } from "./commands/index.ts";
import { passRate } from "./publish/gates.ts";
import { leave } from "./peers/leaving.ts";
import type { Peer } from "./peers/peer.ts";
import { isFenced } from "./access/resume.ts";
import type { Connection, ConnectionHandler, Entrance } from "./transports/transport.ts";
import type { Request } from "./wire/wire.ts";
import { isKnownProtocol, readRequest, receiptReply, refuse, reply } from "./wire/wire.ts";
import { storageCode } from "./publish/write-failed.ts";

function frameOf(request: Request, result: CommandResult): string {
  if (result.kind === "receipt") return receiptReply(request, result.fields);
  return result.kind === "ok" ? reply(request, result.body) : refuse(request, result.error, result.more);
}

interface Incoming {
  readonly request: Request;
  readonly line: string;
  readonly guard: Guard;
}

/** A frame with a bearer token and no `cmd` counts as the request `auth`. */
const commandOf = ({ cmd, bearer }: Request): unknown => cmd ?? (bearer === undefined ? undefined : "auth");

/** The request's name, for error texts. A name that is no text is shown as its type. */
const shownName = (name: unknown): string => (typeof name === "string" ? name.slice(0, 200) : typeof name);

/**
 * Runs one request. An error that a handler throws becomes an answer, never an exception: no client can end the
 * process.
 */
function run(context: BusContext, session: Session, { request: sent, line, guard }: Incoming): void {
  const answer = (result: CommandResult): void => session.connection.send(frameOf(sent, result));
  if (!isKnownProtocol(sent)) return answer({ kind: "error", error: "incompatible protocol version" });
  const name = commandOf(sent);
  const command = context.extensions.command(name) ?? COMMANDS.get(name);
  try {
    const decision = guard.check(sent, command?.roles === undefined);
    if (decision.kind === "refused") return answer({ ...decision, kind: "error" });
    if (command === undefined) return answer({ kind: "error", error: `unknown cmd: ${shownName(name)}` });
    const gated = isRated(name) ? passRate(context, publisherIn(context, session), name) : undefined;
    if (gated?.kind === "refused") return answer({ ...gated, kind: "error" });
    command.run({ context, session, peer: session.peer, request: decision.request, line }, answer);
  } catch (error) {
    context.report(`${shownName(name)} failed: ${stackOf(error)}`);
    answer(failureOf(error));
  }
  return undefined;
}

const stackOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : typeof error);

/**
 * Requests that are rate-limited under their own name, since most store events. `publish`, `broadcast`, `deliver-cmd`
 * and `cmd.ack` are limited by topic instead.
 */
const isRated = (name: unknown): name is string =>
  typeof name === "string" && name.includes(".") && name !== "cmd.ack" && !isHarmless(name);

/** The peer whose rate a request counts against. Before hello, all clients of one origin share one rate. */
const publisherIn = ({ access }: BusContext, { connection, peer }: Session): Pick<Peer, "id" | "connection"> =>
  peer ?? { id: `nobody of ${access.originOf(connection)}`, connection };

/** A full or broken disk is answered with its code from the error catalogue. Any other error is a defect of the bus. */
const failureOf = (error: unknown): CommandResult =>
  error instanceof ClawError
    ? { kind: "error", error: "storage:write-failed", more: storageCode(error) }
    : { kind: "error", error: "internal error" };

function take(context: BusContext, session: Session, text: string, guard: Guard): void {
  const { connection, peer } = session;
  const reading = readRequest(text);
  if (peer !== undefined && isFenced(context, peer)) {
    const request = reading.kind === "request" ? reading.request : {};
    connection.send(refuse(request, "fenced: a newer connection took over"));
    return;
  }
  if (peer !== undefined) seen(context, peer);
  if (reading.kind === "refused") connection.send(refuse({}, reading.error));
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
  connection: Connection,
  entrance: Entrance = { surface: "local" },
): ConnectionHandler {
  const session: Session = { connection, peer: undefined };
  const guard = context.access.guard(connection, entrance);
  let refusing = false;
  const oversize = (): void => {
    if (refusing) return;
    refusing = true;
    connection.send(refuse({}, "request too large"));
    connection.end();
  };
  return {
    lineLimit: () => guard.lineLimit(),
    oversize,
    line: (text) => {
      if (refusing) return;
      if (isEarly(text, guard)) return oversize();
      try {
        take(context, session, text, guard);
      } catch (error) {
        // No error caused by a client's line may pass this point, least of all an unexpected error.
        context.report(`a line could not be answered: ${stackOf(error)}`);
        connection.send(refuse({}, "internal error"));
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
