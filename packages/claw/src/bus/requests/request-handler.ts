import type { OpenRequestName, ReadRequest, ReplyFields, RequestName, RequestSpec } from "claw-contract";
import { requestReader, requestSpec } from "claw-contract";
import type { BusContext } from "../bus-context.ts";
import type { Peer } from "../peers/peer.ts";
import type { TransportConnection } from "../transports/transport.ts";
import type { RefusalFields, WireRequest } from "../wire/wire.ts";
import type { ConnectedPeer } from "../extension/bus-host.ts";

/** The client that sent a request. */
export interface Session {
  readonly connection: TransportConnection;
  peer: Peer | undefined;
}

export interface Refused {
  readonly kind: "error";
  readonly error: string;
  readonly more?: RefusalFields;
}

/** The outcome of a request: its reply, or its refusal. */
export type RequestOutcome<Reply extends object = object> =
  | { readonly kind: "ok"; readonly reply: Reply }
  | Refused
  /** Fields of the reply, already printed as JSON text. */
  | { readonly kind: "receipt"; readonly fields: string };

export const ok = <Reply extends object>(reply: Reply): RequestOutcome<Reply> => ({ kind: "ok", reply });

export const error = (text: string, more?: RefusalFields): Refused =>
  more === undefined ? { kind: "error", error: text } : { kind: "error", error: text, more };

/** A request as it came in. */
export interface IncomingCall {
  readonly context: BusContext;
  readonly session: Session;
  /** The peer that the client has become; undefined before hello. */
  readonly peer: Peer | undefined;
  readonly request: WireRequest;
  /** The line the request stood in. */
  readonly line: string;
}

/** A request that its sender may make, with fields as the contract says. */
export interface RequestCall<Name extends RequestName> extends Omit<IncomingCall, "peer" | "request"> {
  /** The sender; undefined only for a request that needs no hello. */
  readonly peer: Name extends OpenRequestName ? Peer | undefined : Peer;
  readonly request: ReadRequest<Name>;
}

export type Done<Name extends RequestName> = (outcome: RequestOutcome<ReplyFields<Name>>) => void;

/** Handles one kind of request. */
export interface RequestHandler {
  readonly name: RequestName;
  /** Whether a client that has proved a role has to be an orchestrator. */
  readonly isRestricted: boolean;
  /** Whether the rate limit counts the request under its own name. */
  readonly isRated: boolean;
  /** Checks role and fields, then answers. Calls `done` exactly once: at once, or when the started work has ended. */
  readonly run: (call: IncomingCall, done: (outcome: RequestOutcome) => void) => void;
}

/** Refuses a client without hello, and a peer of another role. */
function refuseSender({ peer }: IncomingCall, from: RequestSpec["from"]): Refused | undefined {
  if (from === "any client") return undefined;
  if (peer === undefined) return error("call hello first");
  return from.includes(peer.role) ? undefined : error(`requires role: ${from.join("|")}`);
}

type Unfit = Extract<ReturnType<NonNullable<ReturnType<typeof requestReader>>>, { kind: "refused" }>;

/** The refusal of a field that does not fit the contract. */
function refuseField(name: RequestName, { field, problem, refusal = `${name}:${problem}-${field}` }: Unfit): Refused {
  const { code } = requestSpec(name);
  const { error: text, ...more } = typeof refusal === "string" ? { error: refusal } : refusal;
  const all = { ...more, ...(code === undefined ? {} : { code }) };
  return Object.keys(all).length === 0 ? error(text) : error(text, all);
}

/**
 * `publish`, `broadcast`, `deliver-cmd` and `cmd.ack` are limited by topic. Of the other requests, only names with a dot
 * are limited: published clients poll by the names without a dot.
 */
const isRated = (name: RequestName, { effect }: RequestSpec): boolean =>
  effect !== "read" && name.includes(".") && name !== "cmd.ack";

/** Makes the handler of a request. `run` gets only calls that the contract permits, with fields that fit it. */
export function handleRequest<Name extends RequestName>(
  name: Name,
  run: (call: RequestCall<Name>, done: Done<Name>) => void,
): RequestHandler {
  const spec = requestSpec(name);
  const read = requestReader(name);
  return {
    name,
    isRestricted: spec.from === "any client" && spec.effect !== "read",
    isRated: isRated(name, spec),
    run: (call, done) => {
      const refused = refuseSender(call, spec.from);
      if (refused !== undefined) return done(refused);
      const reading = read?.(call.request);
      if (reading?.kind === "refused") return done(refuseField(name, reading));
      const isSame = reading === undefined || reading.fields === call.request;
      return run((isSame ? call : { ...call, request: reading.fields }) as RequestCall<Name>, done);
    },
  };
}

/** A request that only a peer may send. */
type PeerRequestName = Exclude<RequestName, OpenRequestName>;

/** A request of the contract that an extension answers, and the peer that sent it. */
export interface PeerRequest<Name extends PeerRequestName> {
  readonly peer: ConnectedPeer;
  readonly request: ReadRequest<Name>;
  /** Whether the peer came over the unix socket. */
  readonly isLocal: () => boolean;
}

/**
 * Makes an extension's handler of a request. The extension sees nothing but the peer, its way in, and the fields that
 * the contract names.
 */
export function handlePeers<Name extends PeerRequestName>(
  name: Name,
  run: (asked: PeerRequest<Name>, done: Done<Name>) => void,
): RequestHandler {
  const names = Object.keys(requestSpec(name).fields);
  return handleRequest(name, (call: Omit<RequestCall<Name>, "line">, done) => {
    const fields: Readonly<Record<string, unknown>> = call.request;
    const request = Object.fromEntries(names.map((field) => [field, fields[field]])) as ReadRequest<Name>;
    const isLocal = (): boolean => call.context.access.isLocal(call.session.connection);
    return run({ peer: call.peer, request, isLocal }, done);
  });
}
