import type { OpenRequestName, ReadRequest, RequestName } from "claw-contract";
import { requestSpec } from "claw-contract";
import type { ConnectedPeer } from "./bus-host.ts";
import type { Done, RequestCall, RequestHandler } from "../requests/request-handler.ts";
import { handleRequest } from "../requests/request-handler.ts";

/** A request that only a peer may send. */
type PeerRequestName = Exclude<RequestName, OpenRequestName>;

/** A request of the contract that an extension answers, and the peer that sent it. */
export interface PeerRequest<Name extends PeerRequestName> {
  readonly peer: ConnectedPeer;
  readonly request: ReadRequest<Name>;
}

/**
 * Makes an extension's handler of a request. The extension sees nothing but the peer and the fields that the contract
 * names.
 */
export function handlePeers<Name extends PeerRequestName>(
  name: Name,
  run: (asked: PeerRequest<Name>, done: Done<Name>) => void,
): RequestHandler {
  const names = Object.keys(requestSpec(name).fields);
  return handleRequest(name, (call: Pick<RequestCall<Name>, "peer" | "request">, done) => {
    const fields: Readonly<Record<string, unknown>> = call.request;
    const request = Object.fromEntries(names.map((field) => [field, fields[field]])) as ReadRequest<Name>;
    return run({ peer: call.peer, request }, done);
  });
}
