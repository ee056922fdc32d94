import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { FileSystem } from "../../../files/index.ts";
import { openSecret } from "../../../files/index.ts";
import type { IssuedToken, IssuedTokens } from "./issued-tokens.ts";
import { createIssuedTokens, openIssuedTokens } from "./issued-tokens.ts";
import type { TokenReading, TokenRequest } from "./token.ts";
import { grantOf, readToken, sealGrant } from "./token.ts";
import type { SpentTokens } from "./used-tokens.ts";
import { createUsedTokens, openUsedTokens } from "./used-tokens.ts";

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
      used ??= openUsed();
      return used.use(id, expiresAt, now()) ? reading : { kind: "used" };
    },
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
