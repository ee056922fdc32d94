import { homedir } from "node:os";
import { ClawError } from "claw-contract";
import { keepsPrivate } from "../../permissions/private-places.ts";
import { resolvePath } from "../../permissions/resolve-path.ts";
import { isProtected } from "../../permissions/protected-places.ts";
import { isInWorkspace } from "../../permissions/workspace.ts";
import type { ToolDeps } from "../tool-deps.ts";

/**
 * Remembers where the path of a call led when the call was judged. The tool then opens exactly that file, even when
 * links on the way have changed.
 */
export interface JudgedPaths {
  /** Resolves a path now, and remembers the result for `input`. Throws ClawError when the path cannot be resolved. */
  judge(input: object, path: string): string;
  /**
   * The path from the judgement. Without a judgement, only a path that needs no question to a person. Throws ClawError
   * otherwise.
   */
  judged(input: object, path: string): string;
}

export function createJudgedPaths({ workspace, mode }: ToolDeps, kind: "read" | "write"): JudgedPaths {
  const known = new WeakMap<object, ReadonlyMap<string, string>>();
  const resolve = (path: string): string => resolvePath(path, { cwd: workspace.root, home: homedir() });
  const isPrivate = keepsPrivate(workspace);
  const isFree = (path: string): boolean =>
    mode === "danger-full-access" ||
    (isInWorkspace(path, workspace) && (kind === "read" || (mode !== "read-only" && !isProtected(path, workspace))));
  return {
    judge: (input, path) => {
      const real = resolve(path);
      known.set(input, new Map([...(known.get(input) ?? []), [path, real]]));
      return real;
    },
    judged: (input, path) => {
      const before = known.get(input)?.get(path);
      const real = before ?? resolve(path);
      if (!isPrivate(real) && (before !== undefined || isFree(real))) return real;
      throw new ClawError("PERMISSION_DENIED", `${path} leads to ${real}, which no permission allows`, {
        operation: kind,
        target: real,
      });
    },
  };
}
