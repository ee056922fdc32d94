import { appendFileSync, readFileSync } from "node:fs";
import { LIMITS } from "claw-contract";
import type { FileSystem } from "../../../files/index.ts";
import { errnoOf, PRIVATE_FILE, withFileErrors, writeFileAtomically } from "../../../files/index.ts";

/** Which tokens for one use were used. */
export interface SpentTokens {
  /** Marks a token as used. False when it was already, or when no more can be remembered. Throws file errors. */
  use(id: string, expiresAt: number, nowMs: number): boolean;
}

function createRegister(
  stored: ReadonlyMap<string, number>,
  keep: (id: string, expiresAt: number) => void,
): SpentTokens {
  const used = new Map(stored);
  const forgetExpired = (nowMs: number): void => {
    for (const [id, expiresAt] of used) if (expiresAt <= nowMs) used.delete(id);
  };
  return {
    use: (id, expiresAt, nowMs) => {
      if (used.has(id)) return false;
      if (used.size >= LIMITS.usedTokens) forgetExpired(nowMs);
      if (used.size >= LIMITS.usedTokens) return false;
      keep(id, expiresAt);
      used.set(id, expiresAt);
      return true;
    },
  };
}

export const createUsedTokens = (): SpentTokens => createRegister(new Map(), () => undefined);

function readUsed(path: string, nowMs: number): Map<string, number> {
  const used = new Map<string, number>();
  let text = "";
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
  for (const line of text.split("\n")) {
    const [id, expiresAt] = line.split(" ");
    if (id !== undefined && Number(expiresAt) > nowMs) used.set(id, Number(expiresAt));
  }
  return used;
}

/** Used tokens that stay used after a restart: one line each, the expired left out at every start. */
export function openUsedTokens(fs: FileSystem, path: string, nowMs: number): SpentTokens {
  return withFileErrors("open", path, () => {
    const used = readUsed(path, nowMs);
    const lines = [...used].map(([id, expiresAt]) => `${id} ${expiresAt}\n`).join("");
    writeFileAtomically(fs, path, lines, { mode: PRIVATE_FILE });
    // A line that a full disk cut short is ended by the next.
    const keep = (id: string, expiresAt: number): void => appendFileSync(path, `\n${id} ${expiresAt}\n`);
    return createRegister(used, (id, expiresAt) => withFileErrors("append", path, () => keep(id, expiresAt)));
  });
}
