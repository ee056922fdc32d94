import { realpathSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";

export interface TrustQuestion {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Folders the user trusts, as their own settings name them. */
  readonly roots: readonly string[];
}

/** The folder itself where it can be told; links decide nothing. */
function resolved(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // It is not there, or may not be looked at: nothing in it is trusted.
    return undefined;
  }
}

function isWithin(folder: string, root: string): boolean {
  const way = relative(root, folder);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith("../"));
}

/** Whether the user has said that settings of this folder may do what the user's own may. */
export function isTrustedWorkspace({ cwd, env, roots }: TrustQuestion): boolean {
  if (env["CLAW_TRUST_WORKSPACE"] === "1") return true;
  const folder = roots.length === 0 ? undefined : resolved(cwd);
  if (folder === undefined) return false;
  return roots.some((root) => {
    const expanded = /^~(?=\/|$)/.test(root) ? join(env["HOME"] ?? "~", root.slice(1)) : root;
    const target = isAbsolute(expanded) ? resolved(expanded) : undefined;
    return target !== undefined && isWithin(folder, target);
  });
}
