import { LIMITS, parseObject } from "claw-contract";
import type { WireRole } from "claw-contract";
import type { FileSystem } from "../../../files/index.ts";
import { readSmallFile, withFileErrors, writeFileAtomically } from "../../../files/index.ts";
import { isRole } from "../../peers/peer.ts";

const ISSUED_TOKENS_BYTES = 1024 * 1024;

/** A token given to a client: all its data except the token text. */
export interface IssuedToken {
  readonly id: string;
  readonly role: WireRole;
  /** The only peer name the bearer may use; null when any name is allowed. */
  readonly peer: string | null;
  /** The browser whose cookie the token is; null for a token of a client. */
  readonly browser: string | null;
  /** Milliseconds, like the others. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** The register of issued tokens that are valid. An issued token missing from the register is revoked. */
export interface IssuedTokens {
  /** Tokens that have not expired, oldest first. */
  all(nowMs: number): readonly IssuedToken[];
  has(id: string): boolean;
  /** False when the register is full. Throws file errors; the token is then not in the register. */
  add(token: IssuedToken): boolean;
  /** Returns the removed token; undefined when there was none. Throws file errors; the token is then still valid. */
  remove(id: string, nowMs: number): IssuedToken | undefined;
}

type Keep = (tokens: readonly IssuedToken[]) => void;

function createRegister(stored: readonly IssuedToken[], keep: Keep): IssuedTokens {
  let tokens = stored;
  const holding = (nowMs: number): readonly IssuedToken[] => tokens.filter(({ expiresAt }) => expiresAt > nowMs);
  const put = (next: readonly IssuedToken[]): void => {
    keep(next);
    tokens = next;
  };
  return {
    all: holding,
    has: (id) => tokens.some((token) => token.id === id),
    add: (token) => {
      const held = holding(token.createdAt);
      if (held.length >= LIMITS.issuedTokens) return false;
      put([...held, token]);
      return true;
    },
    remove: (id, nowMs) => {
      const held = holding(nowMs);
      const found = held.find((token) => token.id === id);
      if (found !== undefined) put(held.filter((token) => token !== found));
      return found;
    },
  };
}

/** A register that lives as long as the process. */
export const createIssuedTokens = (): IssuedTokens => createRegister([], () => undefined);

const isNameOrNull = (value: unknown): boolean => value === null || typeof value === "string";

function isIssued(value: unknown): value is IssuedToken {
  const { id, role, peer, browser, createdAt, expiresAt } = (value ?? {}) as Partial<
    Record<keyof IssuedToken, unknown>
  >;
  const isNamed = typeof id === "string" && isRole(role) && isNameOrNull(peer) && isNameOrNull(browser);
  return isNamed && typeof createdAt === "number" && typeof expiresAt === "number";
}

/** Entries of older versions name no browser. */
const completed = (entry: object): object => ({ browser: null, ...entry });

function parse(text: string): readonly IssuedToken[] | undefined {
  const { tokens } = parseObject(text) ?? {};
  if (!Array.isArray(tokens)) return undefined;
  const entries = tokens.map((entry: unknown) => (entry instanceof Object ? completed(entry) : entry));
  return entries.every(isIssued) ? entries : undefined;
}

/**
 * A register kept in a file. When the file is lost or damaged, the register is empty: every issued token ends, and no
 * revoked token becomes valid again.
 */
export function openIssuedTokens(fs: FileSystem, path: string, report: (problem: string) => void): IssuedTokens {
  const file = readSmallFile(path, ISSUED_TOKENS_BYTES);
  const stored = file.kind === "text" ? parse(file.text) : undefined;
  if (stored === undefined && file.kind !== "absent") report(`${path} makes no sense: tokens that were given out end`);
  return createRegister(stored ?? [], (tokens) =>
    withFileErrors("save", path, () => writeFileAtomically(fs, path, `${JSON.stringify({ tokens })}\n`)),
  );
}
