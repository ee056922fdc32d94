import { realpathSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";

export interface TrustQuestion {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Folders the user trusts, named in the user's own settings. */
  readonly roots: readonly string[];
}

/** The real path of a folder, with links resolved; undefined when the path cannot be resolved. */
function resolved(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // The folder does not exist or is not readable, and is therefore not trusted.
    return undefined;
  }
}

function isWithin(folder: string, root: string): boolean {
  const way = relative(root, folder);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith("../"));
}

/** Whether the user gives this folder's settings the same rights as the user's own settings. */
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
