import { isRole } from "../peers/peer.ts";
import type { Grant, SignedHello, TokenStore, TokenUser, TokenVerdict } from "./tokens/index.ts";
import type { Entrance } from "../transports/transport.ts";
import type { WireRequest } from "../wire/wire.ts";

export interface AccessRefusal {
  readonly kind: "refused";
  readonly error: string;
  readonly more?: Readonly<Record<string, unknown>>;
}

/** The role and the name that a client has proved by a token or a signed hello. */
export type HeldToken = Pick<Grant, "id" | "role" | "peer" | "expiresAt" | "once">;

export interface CredentialOptions {
  readonly tokens: TokenStore;
  /** Asks for a token on local sockets too. */
  readonly requireToken?: boolean;
  /** Asks every client for a signed hello, or for a token in its place. */
  readonly signedHello?: SignedHello;
}

/** The credentials shown by a client. */
export interface Credentials {
  held(): HeldToken | undefined;
  /** Whether the client needs a token and has not shown a genuine one, neither on its way in nor in a request. */
  owed(): boolean;
  /** Checks the credentials in a request. Returns why the client is refused; undefined when the client may go on. */
  show(request: WireRequest): AccessRefusal | undefined;
}

export const refused = (error: string, reason?: string): AccessRefusal =>
  reason === undefined ? { kind: "refused", error } : { kind: "refused", error, more: { reason } };

export const EXPIRED = refused("auth:expired");

const REFUSALS: Readonly<Record<Exclude<TokenVerdict["kind"], "granted">, AccessRefusal>> = {
  invalid: refused("auth:invalid"),
  expired: EXPIRED,
  used: refused("auth:invalid", "used"),
  revoked: refused("auth:invalid", "revoked"),
};

function readSigned(request: WireRequest, signedHello: SignedHello | undefined): HeldToken | AccessRefusal {
  if (signedHello === undefined || request["cmd"] !== "hello") return refused("auth:required");
  const reading = signedHello.check(request);
  if (reading !== "signed") return refused(reading === "missing" ? "auth:required" : "auth:invalid");
  const { role, peerName } = request;
  if (!isRole(role)) return refused("unknown role");
  const peer = typeof peerName === "string" ? peerName : undefined;
  return { id: "signed", role, peer, expiresAt: Infinity, once: false };
}

interface Reading {
  readonly tokens: TokenStore;
  readonly held: HeldToken | undefined;
  readonly user: TokenUser;
}

const userIn = ({ page }: Entrance): TokenUser => (page === true ? "page" : "client");

/** A later token may extend the time of an earlier token. The role and the peer name must stay the same. */
function readBearer({ tokens, held, user }: Reading, bearer: unknown): HeldToken | AccessRefusal {
  if (typeof bearer !== "string") return REFUSALS.invalid;
  const verdict = tokens.verify(bearer, user);
  if (verdict.kind !== "granted") return REFUSALS[verdict.kind];
  const { grant } = verdict;
  if (held !== undefined && held.role !== grant.role) return refused("auth:invalid", "role");
  return held !== undefined && held.peer !== grant.peer ? refused("auth:invalid", "peer") : grant;
}

/** Whether an entrance asks for a token, independent of the bus's options. */
export const isAsked = ({ surface, only }: Entrance): boolean => surface === "network" || only !== undefined;

/** Calls `limited` when the client has shown a token that will expire. */
export function createCredentials(
  options: CredentialOptions,
  entrance: Entrance,
  limited: () => void = () => undefined,
): Credentials {
  const { tokens, requireToken = false } = options;
  const { only } = entrance;
  const signedHello = only === undefined ? options.signedHello : undefined;
  const required = isAsked(entrance) || requireToken || signedHello !== undefined;
  const isGenuine = entrance.bearer !== undefined && tokens.read(entrance.bearer, userIn(entrance)).kind === "granted";
  let held: HeldToken | undefined;
  let shown: unknown;

  const read = (request: WireRequest): HeldToken | AccessRefusal | undefined => {
    const bearer = request["bearer"] ?? (held === undefined ? entrance.bearer : undefined);
    if (bearer === undefined) return held ?? (required ? readSigned(request, signedHello) : undefined);
    if (bearer === shown && held?.once === false) return held;
    shown = bearer;
    const reading = readBearer({ tokens, held, user: userIn(entrance) }, bearer);
    const isOther = only !== undefined && !("kind" in reading) && (reading.role !== "worker" || reading.peer !== only);
    return isOther ? refused("auth:invalid", "peer") : reading;
  };
  return {
    held: () => held,
    owed: () => required && held === undefined && !isGenuine,
    show: (request) => {
      const reading = read(request);
      if (reading !== undefined && "kind" in reading) return reading;
      if (reading !== held && reading !== undefined && reading.expiresAt !== Infinity) limited();
      held = reading;
      return undefined;
    },
  };
}
