import type { BusContext } from "../bus-context.ts";
import type { Peer, Role } from "../peer.ts";
import type { Connection } from "../transport.ts";
import type { Request } from "../wire.ts";

/** The client that sent a request. */
export interface Session {
  readonly connection: Connection;
  peer: Peer | undefined;
}

export type Body = Readonly<Record<string, unknown>>;

export type CommandResult =
  | { readonly kind: "ok"; readonly body: object }
  | { readonly kind: "error"; readonly error: string; readonly more?: Body }
  /** Members of the answer, already printed as JSON text. */
  | { readonly kind: "receipt"; readonly fields: string };

export const ok = <Reply extends object>(body: Reply = {} as Reply): { readonly kind: "ok"; readonly body: Reply } => ({
  kind: "ok",
  body,
});

export const error = (text: string, more?: Body): Extract<CommandResult, { kind: "error" }> =>
  more === undefined ? { kind: "error", error: text } : { kind: "error", error: text, more };

/** Handles one kind of request on the wire. */
export interface Command {
  /** Roles that may send the request; undefined when the client needs no hello first. */
  readonly roles: readonly Role[] | undefined;
  /** Calls `done` exactly once: at once, or when the started work has ended. */
  readonly run: (call: CommandCall, done: (result: CommandResult) => void) => void;
}

export interface CommandCall {
  readonly context: BusContext;
  readonly session: Session;
  /** The peer that the client has become; undefined before hello. */
  readonly peer: Peer | undefined;
  readonly request: Request;
  /** The line the request stood in. */
  readonly line: string;
}

export interface PeerCall extends CommandCall {
  readonly peer: Peer;
}

const isPeerCall = (call: CommandCall): call is PeerCall => call.peer !== undefined;

export const ANYBODY: readonly Role[] = ["orchestrator", "worker", "observer"];

/** A handler for peers of the given roles. A client without hello, or of another role, is refused. */
export function peerCommand(
  roles: readonly Role[],
  run: (call: PeerCall, done: (result: CommandResult) => void) => void,
): Command {
  return {
    roles,
    run: (call, done) => {
      if (!isPeerCall(call)) return done(error("call hello first"));
      if (!roles.includes(call.peer.role)) return done(error(`requires role: ${roles.join("|")}`));
      return run(call, done);
    },
  };
}
