import { randomUUID } from "node:crypto";
import { LIMITS } from "claw-contract";
import type { WireRole } from "claw-contract";
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
