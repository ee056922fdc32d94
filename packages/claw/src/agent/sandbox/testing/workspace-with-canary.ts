import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import type { Workspace } from "../../permissions/workspace.ts";
import { probeSandbox } from "../probe-sandbox.ts";
import type { Sandbox } from "../sandbox.ts";

export const CANARY = "canary-that-nobody-may-read";

export interface Cage {
  readonly root: string;
  readonly workspace: Workspace;
  /** A file beside the workspace. */
  readonly canary: string;
  readonly outside: string;
  /** Whether the canary and its folder are as they were. */
  unharmed(): boolean;
}

/** A workspace, and beside it a file that nothing in the workspace may reach. */
export function openCage(onEnd: (remove: () => void) => void): Cage {
  const folder = temporaryFolder(onEnd);
  const [root, outside] = [join(folder, "work"), join(folder, "outside")];
  for (const path of [root, outside]) mkdirSync(path);
  const canary = join(outside, "canary");
  writeFileSync(canary, CANARY);
  return {
    root,
    workspace: { root, extraFolders: [] },
    canary,
    outside,
    unharmed: () => readFileSync(canary, "utf8") === CANARY && !existsSync(join(outside, "planted")),
  };
}

/** The sandbox, which has to be there: a test that needs it fails without it. */
export function needSandbox(workspace: Workspace): Sandbox {
  const state = probeSandbox({ workspace, env: process.env });
  if (state.kind === "unavailable") throw new Error(state.reason);
  return state.sandbox;
}
