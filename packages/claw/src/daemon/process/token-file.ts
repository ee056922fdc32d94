import { LIMITS } from "claw-contract";
import type { TokenStore } from "../../bus/index.ts";
import type { FileSystem } from "../../files/index.ts";
import { errnoOf, withFileErrors, writeFileAtomically } from "../../files/index.ts";

/** The file with a token for an orchestrator. The token stays valid as long as the daemon runs. */
export interface TokenFile {
  /** Puts a new token there once the old one has lived half its time. Returns when to ask again. Never throws. */
  renew(): number;
}

export interface TokenFileOptions {
  readonly path: string;
  readonly tokens: TokenStore;
  readonly now: () => number;
  readonly report: (problem: string) => void;
}

const HALF_LIFE_MS = LIMITS.tokenLifetimeMs / 2;

/** Delay before a failed write is tried again. The old token is still valid for half its lifetime. */
const TOKEN_RETRY_MS = 60_000;

/** Writes the first token. Throws a file error when it cannot. */
export function openTokenFile(fs: FileSystem, { path, tokens, now, report }: TokenFileOptions): TokenFile {
  const write = (): number => {
    const token = tokens.mint({ role: "orchestrator" });
    withFileErrors("save", path, () => writeFileAtomically(fs, path, `${token}\n`));
    return now() + HALF_LIFE_MS;
  };
  let due = write();
  return {
    renew: () => {
      if (now() < due) return due;
      try {
        due = write();
      } catch (error) {
        if (errnoOf(error) === undefined) throw error;
        report(`the token in ${path} was not renewed: ${(error as Error).message}`);
        due = now() + TOKEN_RETRY_MS;
      }
      return due;
    },
  };
}
