import type { FieldShape, ReadRequest, ReplyFields, RequestName } from "@claw/contract";
import { requestReader, requestSpec } from "@claw/contract";
import type { ConnectedPeer } from "./bus-host.ts";
import type { Body, Command, CommandResult } from "./commands/command.ts";
import { error, peerCommand } from "./commands/command.ts";
import type { Role } from "./peer.ts";
import type { Request } from "./wire.ts";

/** A request of the contract that an extension answers, and the peer that sent it. */
export interface PeerRequest<Name extends RequestName> {
  readonly peer: ConnectedPeer;
  readonly request: ReadRequest<Name>;
}

export type Refused = Extract<CommandResult, { kind: "error" }>;

/** The outcome of a request: its reply, or its refusal. */
export type Outcome<Reply extends object> = { readonly kind: "ok"; readonly body: Reply } | Refused;

export type Done<Name extends RequestName> = (outcome: Outcome<ReplyFields<Name>>) => void;

/** An extension's handler of one kind of request. */
export interface PeerHandler {
  /** Roles that may send the request. The bus refuses clients of another role, and clients without hello. */
  readonly roles: readonly Role[];
  /** Calls `done` exactly once: at once, or when the started work has ended. */
  readonly run: (asked: { peer: ConnectedPeer; request: Request }, done: (result: CommandResult) => void) => void;
}

/** The fields that the contract names, without the rest of the frame. */
const namedIn = (fields: Body, shapes: Readonly<Record<string, FieldShape>>): Body =>
  Object.fromEntries(Object.keys(shapes).map((name) => [name, fields[name]]));

/** Makes the handler of a request. The handler gets a request that fits the contract; the bus refuses any other. */
export function handlePeers<Name extends RequestName>(
  name: Name,
  answer: (asked: PeerRequest<Name>, done: Done<Name>) => void,
): PeerHandler {
  const { from, fields, code } = requestSpec(name);
  const read = requestReader(name);
  return {
    roles: from === "any client" ? [] : from,
    run: ({ peer, request }, done) => {
      const reading = read?.(request) ?? { kind: "read", fields: request };
      if (reading.kind === "refused") {
        const { field, problem, refusal = `${name}:${problem}-${field}` } = reading;
        const text = typeof refusal === "string" ? refusal : refusal.error;
        return done(error(text, code === undefined ? undefined : { code }));
      }
      return answer({ peer, request: namedIn(reading.fields, fields) as ReadRequest<Name> }, done);
    },
  };
}

/** The handler in the form in which the bus calls its own. The extension sees nothing but peer and request. */
export const commandOf = ({ roles, run }: PeerHandler): Command =>
  peerCommand(roles, ({ peer, request }, done) => run({ peer, request }, done));
