import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { FileSystem } from "../../files/index.ts";
import { openSecret } from "../../files/index.ts";
import type { TokenReading, TokenRequest } from "./token.ts";
import { mintToken, readToken } from "./token.ts";
import type { UsedTokens } from "./used-tokens.ts";
import { createUsedTokens, openUsedTokens } from "./used-tokens.ts";

export type Verdict = TokenReading | { readonly kind: "used" };

/** Makes tokens and says what they are good for. */
export interface TokenStore {
  /** Signs whatever else has to be recognised later. */
  readonly secret: Uint8Array;
  mint(request: TokenRequest): string;
  /** What a token grants, were it shown now. A token for one use may have been used. */
  read(token: string): TokenReading;
  /** What a token grants. A token for one use is used up by this. */
  verify(token: string): Verdict;
}

function createStore(secret: Uint8Array, openUsed: () => UsedTokens, now: () => number): TokenStore {
  // Only who verifies keeps account of what was used; others may make tokens at the same time.
  let used: UsedTokens | undefined;
  return {
    secret,
    mint: (request) => mintToken(secret, request, now()),
    read: (token) => readToken(secret, token, now()),
    verify: (token) => {
      const reading = readToken(secret, token, now());
      if (reading.kind !== "granted" || !reading.grant.once) return reading;
      const { id, expiresAt } = reading.grant;
      used ??= openUsed();
      return used.use(id, expiresAt, now()) ? reading : { kind: "used" };
    },
  };
}

/** Tokens that die with the process. */
export const createTokenStore = (now: () => number): TokenStore => createStore(randomBytes(32), createUsedTokens, now);

/** Tokens signed with the secret of a workspace's folder; they outlive the process. Throws file errors. */
export function openTokenStore(
  fs: FileSystem,
  directory: string,
  now: () => number,
  report: (problem: string) => void = () => undefined,
): TokenStore {
  const secret = openSecret(fs, join(directory, "token.secret"), report);
  return createStore(secret, () => openUsedTokens(fs, join(directory, "token.used"), now()), now);
}
