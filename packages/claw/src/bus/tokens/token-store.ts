import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { FileSystem } from "../../files/index.ts";
import { openSecret } from "../../files/index.ts";
import type { IssuedToken, IssuedTokens } from "./issued-tokens.ts";
import { createIssuedTokens, openIssuedTokens } from "./issued-tokens.ts";
import type { TokenReading, TokenRequest } from "./token.ts";
import { grantOf, readToken, sealGrant } from "./token.ts";
import type { UsedTokens } from "./used-tokens.ts";
import { createUsedTokens, openUsedTokens } from "./used-tokens.ts";

export type Verdict = TokenReading | { readonly kind: "used" };

/** A token that was just made for somebody. It is not kept: this is the only time it can be read. */
export interface NewToken {
  readonly token: string;
  readonly about: IssuedToken;
}

/** Makes tokens and says what they are good for. */
export interface TokenStore {
  /** Signs whatever else has to be recognised later. */
  readonly secret: Uint8Array;
  mint(request: TokenRequest): string;
  /** Makes a token to give away, which can be revoked. Undefined when there are too many. Throws file errors. */
  issue(request: TokenRequest): NewToken | undefined;
  /** Tokens that were given away and hold, oldest first. */
  issued(): readonly IssuedToken[];
  /** Ends a token that was given away. Undefined when there is none of that id. Throws file errors. */
  revoke(id: string): IssuedToken | undefined;
  /** What a token grants, were it shown now. A token for one use may have been used. */
  read(token: string): TokenReading;
  /** What a token grants. A token for one use is used up by this. */
  verify(token: string): Verdict;
}

interface Registers {
  readonly openUsed: () => UsedTokens;
  readonly openIssued: () => IssuedTokens;
}

function createStore(secret: Uint8Array, { openUsed, openIssued }: Registers, now: () => number): TokenStore {
  // Only who verifies keeps account of what was used and given out; others may make tokens at the same time.
  let used: UsedTokens | undefined;
  let issued: IssuedTokens | undefined;
  const register = (): IssuedTokens => (issued ??= openIssued());
  const read = (token: string): TokenReading => {
    const reading = readToken(secret, token, now());
    const isRevoked = reading.kind === "granted" && reading.grant.issued && !register().has(reading.grant.id);
    return isRevoked ? { kind: "revoked" } : reading;
  };
  return {
    secret,
    mint: (request) => sealGrant(secret, grantOf(request, now())),
    issue: (request) => {
      const grant = grantOf({ ...request, issued: true }, now());
      const { id, role, peer = null, expiresAt } = grant;
      const about = { id, role, peer, createdAt: now(), expiresAt };
      return register().add(about) ? { token: sealGrant(secret, grant), about } : undefined;
    },
    issued: () => register().all(now()),
    revoke: (id) => register().remove(id, now()),
    read,
    verify: (token) => {
      const reading = read(token);
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
  const openUsed = (): UsedTokens => openUsedTokens(fs, join(directory, "token.used"), now());
  const openIssued = (): IssuedTokens => openIssuedTokens(fs, join(directory, "token.issued"), report);
  return createStore(secret, { openUsed, openIssued }, now);
}
