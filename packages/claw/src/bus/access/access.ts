import { LIMITS } from "claw-contract";
import type { WireRole } from "claw-contract";
import type { CredentialOptions, HeldToken, AccessRefusal } from "./credentials.ts";
import { createCredentials, EXPIRED, isAsked, refused } from "./credentials.ts";
import type { IssuedToken, TokenStore } from "./tokens/index.ts";
import type { TransportConnection, Entrance } from "../transports/transport.ts";
import type { WireRequest } from "../wire/wire.ts";
import { refuseRequest } from "../wire/wire.ts";

export type AccessDecision =
  /** The request. The role and the name that the token fixes are filled in. */
  { readonly kind: "pass"; readonly request: WireRequest } | AccessRefusal;

/** Checks every request of one client before the bus runs the request. */
export interface Guard {
  /** `restricted`: once the client has proved its role, the request is for orchestrators only. */
  check(request: WireRequest, restricted: boolean): AccessDecision;
  /** How many bytes the client's next line may have. */
  lineLimit(): number;
  /**
   * Whether the client's entrance asks for a token and the client holds no valid token. When a client is still locked
   * after a line, the bus hangs up.
   */
  locked(): boolean;
  closed(): void;
}

export interface Access {
  /**
   * Names the origin of a connection: the client's token, or the role and name in the token; without a token, the
   * surface. A client that connects again has the same origin.
   */
  originOf(connection: TransportConnection): string;
  /** Whether a client came over a socket of this machine that file permissions protect. */
  isLocal(connection: TransportConnection): boolean;
  guard(connection: TransportConnection, entrance: Entrance): Guard;
  /** Hangs up on clients whose token has expired. Returns when the next token expires. */
  expire(): number;
  /** Issues and lists tokens that can be revoked. */
  readonly tokens: Pick<TokenStore, "issue" | "issued">;
  /** Revokes an issued token and hangs up on the clients that hold it. Undefined when no issued token has the id. */
  revoke(id: string): IssuedToken | undefined;
}

export type AccessOptions = CredentialOptions & { readonly now: () => number };

/** Takes the role and the name of a hello from the token. Every client may choose the role observer instead. */
function fixIdentity(request: WireRequest, held: HeldToken): AccessDecision {
  const role: unknown = request["role"] ?? held.role;
  if (role !== held.role && role !== "observer") return refused("auth:invalid", "role");
  const { peerName } = request;
  if (held.peer === undefined) return { kind: "pass", request: { ...request, role } };
  if (peerName !== undefined && peerName !== held.peer) return refused("auth:invalid", "peer");
  return { kind: "pass", request: { ...request, role, peerName: held.peer } };
}

function permit(request: WireRequest, restricted: boolean, held: HeldToken): AccessDecision {
  if (request["cmd"] === "hello") return fixIdentity(request, held);
  const allowed: readonly WireRole[] = ["orchestrator"];
  if (restricted && !allowed.includes(held.role)) {
    return refused(`requires role: ${allowed.join("|")}`);
  }
  return { kind: "pass", request };
}

/**
 * A token with a peer name gives the origin `<role> <peer>`, which a renewed token keeps. Any other token gives its id.
 */
function originOf({ surface }: Entrance, held: HeldToken | undefined): string {
  if (held === undefined) return surface;
  return held.peer === undefined ? `token ${held.id}` : `${held.role} ${held.peer}`;
}

type OwnGuard = Guard & {
  readonly surface: Entrance["surface"];
  expired(): boolean;
  expiresAt(): number;
  origin(): string;
  holds(id: string): boolean;
};

function createGuard(options: AccessOptions, entrance: Entrance, limited: () => void): OwnGuard {
  const credentials = createCredentials(options, entrance, limited);
  const expiresAt = (): number => credentials.held()?.expiresAt ?? Infinity;
  const expired = (): boolean => expiresAt() <= options.now();
  return {
    surface: entrance.surface,
    expired,
    expiresAt,
    origin: () => originOf(entrance, credentials.held()),
    holds: (id) => credentials.held()?.id === id,
    lineLimit: () => (credentials.owed() ? LIMITS.tokenlessLineBytes : LIMITS.requestLineBytes),
    locked: () => isAsked(entrance) && (credentials.held() === undefined || expired()),
    check: (request, restricted) => {
      const refusal = credentials.show(request);
      if (refusal !== undefined) return refusal;
      const held = credentials.held();
      if (held === undefined) return { kind: "pass", request };
      return expired() ? EXPIRED : permit(request, restricted, held);
    },
    closed: () => undefined,
  };
}

export function createAccess(options: AccessOptions): Access {
  const guards = new Map<OwnGuard, TransportConnection>();
  /** Those with a token that will expire. The clock looks at no others (bench growth, "publish" beside many peers). */
  const expiring = new Map<OwnGuard, TransportConnection>();
  const byConnection = new WeakMap<TransportConnection, OwnGuard>();
  const forget = (guard: OwnGuard): void => {
    guards.delete(guard);
    expiring.delete(guard);
  };
  const hangUp = (guard: OwnGuard, connection: TransportConnection, why: string): void => {
    forget(guard);
    connection.send(why);
    connection.end();
  };
  return {
    originOf: (connection) => byConnection.get(connection)?.origin() ?? "local",
    isLocal: (connection) => byConnection.get(connection)?.surface === "local",
    guard: (connection, entrance) => {
      const guard: OwnGuard = createGuard(options, entrance, () => void expiring.set(guard, connection));
      guards.set(guard, connection);
      byConnection.set(connection, guard);
      return { ...guard, closed: () => forget(guard) };
    },
    tokens: options.tokens,
    revoke: (id) => {
      const revoked = options.tokens.revoke(id);
      if (revoked === undefined) return undefined;
      for (const [guard, connection] of guards) {
        if (guard.holds(id)) hangUp(guard, connection, refuseRequest({}, "auth:invalid", { reason: "revoked" }));
      }
      return revoked;
    },
    expire: () => {
      let next = Infinity;
      for (const [guard, connection] of expiring) {
        if (!guard.expired()) next = Math.min(next, guard.expiresAt());
        if (!guard.expired()) continue;
        hangUp(guard, connection, refuseRequest({}, "auth:expired"));
      }
      return next;
    },
  };
}
