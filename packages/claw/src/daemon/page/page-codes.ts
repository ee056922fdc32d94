import { createHash, randomBytes } from "node:crypto";
import { LIMITS } from "claw-contract";
import type { ReadRequest } from "claw-contract";

type PageRole = ReadRequest<"page.open">["role"];

/** The session that a code gives to a browser. */
export interface CodeGrant {
  readonly role: PageRole;
  readonly lifetimeMs: number;
}

export type CodeVerdict =
  | { readonly kind: "valid"; readonly grant: CodeGrant }
  | { readonly kind: "used" }
  | { readonly kind: "expired" }
  | { readonly kind: "unknown" }
  /** Too many wrong codes came in the last minute: the reason is not told any more. */
  | { readonly kind: "limited" };

/** Codes in links to the page. Each gives one browser a session. They end with the process. */
export interface PageCodes {
  issue(grant: CodeGrant): { readonly code: string; readonly expiresAt: number };
  /** A valid code is told also while wrong codes are limited: a code cannot be guessed. */
  check(code: string): CodeVerdict;
  /** From now on the code is used. */
  use(code: string): void;
  /** When the last code ends that can still be used; 0 when there is none. */
  openUntil(): number;
}

interface KnownCode {
  readonly grant: CodeGrant;
  readonly expiresAt: number;
  used: boolean;
}

/** Short enough for a line of a terminal, and far beyond guessing. */
const CODE_BYTES = 12;
const MINUTE_MS = 60_000;

const digestOf = (code: string): string => createHash("sha256").update(code).digest("base64");

function createLimit(now: () => number): () => boolean {
  let wrong: number[] = [];
  return () => {
    wrong = wrong.filter((atMs) => atMs > now() - MINUTE_MS);
    if (wrong.length >= LIMITS.pageWrongCodes) return false;
    wrong.push(now());
    return true;
  };
}

export function createPageCodes(now: () => number): PageCodes {
  const known = new Map<string, KnownCode>();
  const mayTell = createLimit(now);
  const isOpen = ({ used, expiresAt }: KnownCode): boolean => !used && expiresAt > now();
  const judge = (code: string): CodeVerdict => {
    const found = known.get(digestOf(code));
    if (found === undefined) return { kind: "unknown" };
    if (found.used) return { kind: "used" };
    return isOpen(found) ? { kind: "valid", grant: found.grant } : { kind: "expired" };
  };
  return {
    issue: (grant) => {
      const code = randomBytes(CODE_BYTES).toString("base64url");
      const expiresAt = now() + LIMITS.pageCodeMs;
      known.set(digestOf(code), { grant, expiresAt, used: false });
      const [oldest] = known.keys();
      if (known.size > LIMITS.pageCodes && oldest !== undefined) known.delete(oldest);
      return { code, expiresAt };
    },
    check: (code) => {
      const verdict = judge(code);
      return verdict.kind === "valid" || mayTell() ? verdict : { kind: "limited" };
    },
    use: (code) => {
      const found = known.get(digestOf(code));
      if (found !== undefined) found.used = true;
    },
    openUntil: () => Math.max(0, ...[...known.values()].filter(isOpen).map(({ expiresAt }) => expiresAt)),
  };
}
