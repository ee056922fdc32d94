import { homedir } from "node:os";
import { ClawError } from "@claw/contract";
import { keepsPrivate } from "../permissions/private-places.ts";
import { resolvePath } from "../permissions/resolve-path.ts";
import { isProtected } from "../permissions/protected-places.ts";
import { isInWorkspace } from "../permissions/workspace.ts";
import type { ToolDeps } from "./tool-deps.ts";

/**
 * Remembers where the path of a call led when it was judged, so that just that is opened afterwards, whatever became
 * of the links on its way meanwhile.
 */
export interface JudgedPaths {
  /** Where a path leads now. Throws ClawError when it leads nowhere. */
  judge(input: object, path: string): string;
  /** Where it led when its call was judged. A call nobody judged may only reach what needs no asking. */
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
      throw new ClawError("PERMISSION_DENIED", `${path} leads to ${real}, which nobody has allowed`, {
        operation: kind,
        target: real,
      });
    },
  };
}
