import { ClawError } from "claw-contract";
import { resolvePath } from "../resolve-path.ts";
import type { Workspace } from "../workspace.ts";
import { isInWorkspace } from "../workspace.ts";

export interface VetContext {
  readonly workspace: Workspace;
  /** Where the command runs; absolute and free of links. */
  readonly cwd: string;
  /** Whether the workspace may be changed. */
  readonly isWritable: boolean;
  /** Whether files can change before the command runs, so that no path can be judged. */
  readonly isUnsettled?: boolean;
  /** Whether the rules keep a file from being read, or written; the path is free of links. */
  readonly isKept?: (path: string, kind: "read" | "write") => boolean;
}

/** Null when a command is known to be harmless; else the reason for the doubt. */
export type Objection = string | null;

/** Objects when one of the paths leads out of the workspace, or cannot be followed. */
export function vetPaths(paths: readonly string[], context: VetContext): Objection {
  const { workspace, cwd, isKept } = context;
  const [first] = paths;
  if (context.isUnsettled === true && first !== undefined) return `${first} may be another file by then`;
  for (const path of paths) {
    try {
      const real = resolvePath(path, { cwd });
      if (!isInWorkspace(real, workspace)) return `${path} is outside of the workspace`;
      if (isKept?.(real, "read")) return `${path} is kept by a rule`;
    } catch (error) {
      if (error instanceof ClawError) return error.message;
      throw error;
    }
  }
  return null;
}
