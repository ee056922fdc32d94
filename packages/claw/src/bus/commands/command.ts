import type { BusContext } from "../bus-context.ts";
import type { Peer, Role } from "../peer.ts";
import type { Connection } from "../transport.ts";
import type { Request } from "../wire.ts";

/** The client a command came from. */
export interface Session {
  readonly connection: Connection;
  peer: Peer | undefined;
}

export type Body = Readonly<Record<string, unknown>>;

export type CommandResult =
  | { readonly kind: "ok"; readonly body: Body }
  | { readonly kind: "error"; readonly error: string; readonly more?: Body }
  /** The members of an answer, printed already. */
  | { readonly kind: "receipt"; readonly fields: string };

export const ok = (body: Body = {}): CommandResult => ({ kind: "ok", body });

export const error = (text: string, more?: Body): CommandResult =>
  more === undefined ? { kind: "error", error: text } : { kind: "error", error: text, more };

/** One command of the wire. */
export interface Command {
  /** Roles that may use it; undefined when no hello is needed. */
  readonly roles: readonly Role[] | undefined;
  /** Answers through `done`, once: at once, or when what it started is done. */
  readonly run: (call: CommandCall, done: (result: CommandResult) => void) => void;
}

export interface CommandCall {
  readonly context: BusContext;
  readonly session: Session;
  /** Who it is by now; undefined before its hello. */
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

/** A command that only peers may use; `run` is told which. */
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
