import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import type { WireRole } from "claw-contract";
import type { FileSystem } from "../../../files/index.ts";
import { openSecret } from "../../../files/index.ts";
import type { IssuedToken, IssuedTokens } from "./issued-tokens.ts";
import { createIssuedTokens, openIssuedTokens } from "./issued-tokens.ts";
import type { SpentTokens } from "./used-tokens.ts";
import { createUsedTokens, openUsedTokens } from "./used-tokens.ts";
import { isRole } from "../../peers/peer.ts";
import { readSignedClaim, signClaim } from "./signature.ts";

const PREFIX = "claw1";

/** The role and the name that a token grants to its bearer. */
export interface Grant {
  readonly id: string;
  readonly role: WireRole;
  /** The only peer name the bearer may use; undefined when any name is allowed. */
  readonly peer: string | undefined;
  /** Milliseconds. */
  readonly expiresAt: number;
  readonly once: boolean;
  /** Whether the token is valid only while the workspace's register holds the token, which makes it revocable. */
  readonly issued: boolean;
  /** Whether the token is the cookie of a browser. Such a token opens only the page's WebSocket and the page. */
  readonly browser: boolean;
}

export interface TokenRequest {
  readonly role: WireRole;
  readonly peer?: string;
  readonly lifetimeMs?: number;
  /** Valid for one connection only. */
  readonly once?: boolean;
  /** Can be listed and revoked. */
  readonly issued?: boolean;
  /** The browser that gets the token as its cookie, in words for people. */
  readonly browser?: string;
}

export type TokenReading =
  | { readonly kind: "granted"; readonly grant: Grant }
  | { readonly kind: "invalid" }
  | { readonly kind: "expired" }
  /** An issued token that is no longer in the register. */
  | { readonly kind: "revoked" };

/** The grant that a token request asks for, with defaults filled in. */
export function grantOf(request: TokenRequest, nowMs: number): Grant {
  const { role, peer, lifetimeMs = LIMITS.tokenLifetimeMs, once = false, issued = false } = request;
  const browser = request.browser !== undefined;
  return { id: randomUUID(), role, peer, expiresAt: nowMs + lifetimeMs, once, issued, browser };
}

export const sealGrant = (secret: Uint8Array, grant: Grant): string => signClaim(secret, PREFIX, grant);

/** Whether a token was made with this secret and still holds. Never throws, whatever the text. */
export function readToken(secret: Uint8Array, token: string, nowMs: number): TokenReading {
  if (token.length > LIMITS.tokenLength) return { kind: "invalid" };
  const claim = readSignedClaim(secret, PREFIX, token) as Partial<Grant> | undefined;
  if (claim === undefined) return { kind: "invalid" };
  const { id, role, peer, expiresAt, once, issued, browser } = claim;
  if (typeof id !== "string" || !isRole(role) || typeof expiresAt !== "number") return { kind: "invalid" };
  if (expiresAt <= nowMs) return { kind: "expired" };
  const marks = { once: once === true, issued: issued === true, browser: browser === true };
  return { kind: "granted", grant: { id, role, peer, expiresAt, ...marks } };
}

export type TokenVerdict = TokenReading | { readonly kind: "used" };

/**
 * Who shows a token: a client, or the page in a browser. A cookie that another program learned is no token of a client,
 * and a client's token is no cookie.
 */
export type TokenUser = "client" | "page";

/** A token that was just issued. The store does not keep the token text: only this value holds the text. */
export interface NewToken {
  readonly token: string;
  readonly about: IssuedToken;
}

/** Makes tokens, and checks which role and name a token grants. */
export interface TokenStore {
  /** Key that signs tokens. The bus also signs resume tokens with this key. */
  readonly secret: Uint8Array;
  mint(request: TokenRequest): string;
  /** Makes a token that can be listed and revoked. Undefined when too many are issued. Throws file errors. */
  issue(request: TokenRequest): NewToken | undefined;
  /** Issued tokens that are valid, oldest first. */
  issued(): readonly IssuedToken[];
  /** Revokes an issued token. Undefined when no issued token has the id. Throws file errors. */
  revoke(id: string): IssuedToken | undefined;
  /** Reads the grant of a token without using the token. A token for one use may have been used already. */
  read(token: string, user?: TokenUser): TokenReading;
  /** Checks a token and returns its grant. Uses up a token for one use. */
  verify(token: string, user?: TokenUser): TokenVerdict;
  /**
   * Marks something with a random id as used, like a token for one use. False when it was used before, or when no more
   * can be remembered. Throws file errors.
   */
  use(id: string, expiresAt: number): boolean;
}

interface Registers {
  readonly openUsed: () => SpentTokens;
  readonly openIssued: () => IssuedTokens;
}

function createStore(secret: Uint8Array, { openUsed, openIssued }: Registers, now: () => number): TokenStore {
  // Opened on first use: only the process that verifies tokens keeps the registers. Other processes may make tokens at
  // the same time.
  let used: SpentTokens | undefined;
  let issued: IssuedTokens | undefined;
  const register = (): IssuedTokens => (issued ??= openIssued());
  const use = (id: string, expiresAt: number): boolean => (used ??= openUsed()).use(id, expiresAt, now());
  const read = (token: string, user: TokenUser = "client"): TokenReading => {
    const reading = readToken(secret, token, now());
    if (reading.kind === "granted" && reading.grant.browser !== (user === "page")) return { kind: "invalid" };
    const isRevoked = reading.kind === "granted" && reading.grant.issued && !register().has(reading.grant.id);
    return isRevoked ? { kind: "revoked" } : reading;
  };
  return {
    secret,
    mint: (request) => sealGrant(secret, grantOf(request, now())),
    issue: (request) => {
      const grant = grantOf({ ...request, issued: true }, now());
      const { id, role, peer = null, expiresAt } = grant;
      const about = { id, role, peer, browser: request.browser ?? null, createdAt: now(), expiresAt };
      return register().add(about) ? { token: sealGrant(secret, grant), about } : undefined;
    },
    issued: () => register().all(now()),
    revoke: (id) => register().remove(id, now()),
    read,
    verify: (token, user) => {
      const reading = read(token, user);
      if (reading.kind !== "granted" || !reading.grant.once) return reading;
      const { id, expiresAt } = reading.grant;
      return use(id, expiresAt) ? reading : { kind: "used" };
    },
    use,
  };
}

/** Tokens that die with the process. */
export const createTokenStore = (now: () => number): TokenStore =>
  createStore(randomBytes(32), { openUsed: createUsedTokens, openIssued: createIssuedTokens }, now);

/** Tokens signed with the secret of a workspace's folder; they outlive the process. Throws file errors. */
export function openTokenStore(
  fs: FileSystem,
  directory: string,
  now: () => number,
  report: (problem: string) => void = () => undefined,
): TokenStore {
  const secret = openSecret(fs, join(directory, "token.secret"), report);
  const openUsed = (): SpentTokens => openUsedTokens(fs, join(directory, "token.used"), now());
  const openIssued = (): IssuedTokens => openIssuedTokens(fs, join(directory, "token.issued"), report);
  return createStore(secret, { openUsed, openIssued }, now);
}
