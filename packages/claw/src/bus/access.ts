import type { Role } from "./peer.ts";
import { isRole } from "./peer.ts";
import type { Grant, SignedHello, TokenStore, Verdict } from "./tokens/index.ts";
import type { Connection, Entrance } from "./transport.ts";
import type { Request } from "./wire.ts";
import { refuse } from "./wire.ts";

export type AccessDecision =
  /** The request, with what the token fixes filled in. */
  | { readonly kind: "pass"; readonly request: Request }
  | { readonly kind: "refused"; readonly error: string; readonly more?: Readonly<Record<string, unknown>> };

/** What stands between one client and every command. */
export interface Guard {
  /** `open` says that the command asks for no role by itself. */
  check(request: Request, open: boolean): AccessDecision;
  /** Whether the client has to show a token and did not yet; such clients are hung up on at the first refusal. */
  locked(): boolean;
  closed(): void;
}

export interface Access {
  guard(connection: Connection, entrance: Entrance): Guard;
  /** Hangs up on clients whose token has expired. */
  expire(): void;
}

export interface AccessOptions {
  readonly tokens: TokenStore;
  readonly now: () => number;
  /** Asks for a token on local sockets too. */
  readonly requireToken?: boolean;
  /** Asks everybody for a signed hello, or a token instead of it. */
  readonly signedHello?: SignedHello;
}

type Held = Pick<Grant, "role" | "peer" | "expiresAt" | "once">;

/** Commands without a role of their own that change nothing. Others are an orchestrator's, once roles are proved. */
const HARMLESS: ReadonlySet<unknown> = new Set([
  "hello",
  "auth",
  "ping",
  "peers",
  "introspect",
  "schema.list",
  "schema.get",
  "task.list",
  "wave.status",
  "pipeline.list",
  "lifecycle.snapshot",
  "monitors.is-corr-armed",
]);

const refused = (error: string, reason?: string): AccessDecision =>
  reason === undefined ? { kind: "refused", error } : { kind: "refused", error, more: { reason } };

const REFUSALS: Readonly<Record<Exclude<Verdict["kind"], "granted">, AccessDecision>> = {
  invalid: refused("auth:invalid"),
  expired: refused("auth:expired"),
  used: refused("auth:invalid", "used"),
};

/** Role and name follow from the token; everybody may choose to only watch. */
function fixIdentity(request: Request, held: Held): AccessDecision {
  const role: unknown = request["role"] ?? held.role;
  if (role !== held.role && role !== "observer") return refused("auth:invalid", "role");
  const { peerName } = request;
  if (held.peer === undefined) return { kind: "pass", request: { ...request, role } };
  if (peerName !== undefined && peerName !== held.peer) return refused("auth:invalid", "peer");
  return { kind: "pass", request: { ...request, role, peerName: held.peer } };
}

function permit(request: Request, open: boolean, held: Held): AccessDecision {
  if (request["cmd"] === "hello") return fixIdentity(request, held);
  const allowed: readonly Role[] = ["orchestrator"];
  if (open && !HARMLESS.has(request["cmd"] ?? "auth") && !allowed.includes(held.role)) {
    return refused(`requires role: ${allowed.join("|")}`);
  }
  return { kind: "pass", request };
}

function createGuard(options: AccessOptions, entrance: Entrance): Guard & { expired(): boolean } {
  const { tokens, now, requireToken = false, signedHello } = options;
  const required = entrance.surface === "network" || requireToken || signedHello !== undefined;
  let held: Held | undefined;
  let shown: string | undefined;

  const show = (bearer: string): AccessDecision | undefined => {
    if (bearer === shown && held?.once === false) return undefined;
    const verdict = tokens.verify(bearer);
    if (verdict.kind !== "granted") return REFUSALS[verdict.kind];
    const { grant } = verdict;
    if (held !== undefined && held.role !== grant.role) return refused("auth:invalid", "role");
    if (held !== undefined && held.peer !== grant.peer) return refused("auth:invalid", "peer");
    held = grant;
    shown = bearer;
    return undefined;
  };

  const showSigned = (request: Request): AccessDecision | undefined => {
    if (signedHello === undefined || request["cmd"] !== "hello") return refused("auth:required");
    const reading = signedHello.check(request);
    if (reading !== "signed") return refused(reading === "missing" ? "auth:required" : "auth:invalid");
    const { role, peerName } = request;
    if (!isRole(role)) return refused("unknown role");
    held = { role, peer: typeof peerName === "string" ? peerName : undefined, expiresAt: Infinity, once: false };
    return undefined;
  };

  const authenticate = (request: Request): AccessDecision | undefined => {
    const bearer = request["bearer"] ?? (held === undefined ? entrance.bearer : undefined);
    if (bearer !== undefined) return typeof bearer === "string" ? show(bearer) : REFUSALS.invalid;
    return held === undefined && required ? showSigned(request) : undefined;
  };

  const expired = (): boolean => held !== undefined && held.expiresAt <= now();
  return {
    expired,
    locked: () => entrance.surface === "network" && (held === undefined || expired()),
    check: (request, open) => {
      const refusal = authenticate(request);
      if (refusal !== undefined) return refusal;
      if (held === undefined) return { kind: "pass", request };
      return expired() ? REFUSALS.expired : permit(request, open, held);
    },
    closed: () => undefined,
  };
}

export function createAccess(options: AccessOptions): Access {
  const guards = new Map<ReturnType<typeof createGuard>, Connection>();
  return {
    guard: (connection, entrance) => {
      const guard = createGuard(options, entrance);
      guards.set(guard, connection);
      return { ...guard, closed: () => void guards.delete(guard) };
    },
    expire: () => {
      for (const [guard, connection] of guards) {
        if (!guard.expired()) continue;
        guards.delete(guard);
        connection.send(refuse({}, "auth:expired"));
        connection.end();
      }
    },
  };
}
