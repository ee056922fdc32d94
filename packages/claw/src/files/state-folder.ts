import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { Environment } from "claw-contract";
import { unlessRefused } from "./file-error.ts";

/** Characters of the digest that names a workspace's folder. */
const NAME_LENGTH = 16;

/** The real path; the absolute path when it cannot be resolved. */
function realPath(path: string): string {
  return unlessRefused(() => realpathSync(path), resolve(path));
}

/** The home folder of a user by the system's list of users; undefined for a user who is not in it. */
function listedHome(): string | undefined {
  return unlessRefused(() => homedir());
}

/**
 * Where claw keeps what no tool of an agent may see, outside of every workspace: `$XDG_STATE_HOME/claw`, or
 * `~/.local/state/claw`, or a folder of this user's own among the temporary files when there is no home. Makes nothing.
 */
export function stateHome(env: Environment = process.env, findHome = listedHome): string {
  const { XDG_STATE_HOME: named = "", HOME: given = "" } = env;
  if (isAbsolute(named)) return join(named, "claw");
  const home = isAbsolute(given) ? given : findHome();
  return home === undefined ? join(tmpdir(), `claw-${process.getuid?.()}`) : join(home, ".local", "state", "claw");
}

/** The private folder of one workspace in it. The same for every path that leads to the workspace. Makes nothing. */
export function stateFolder(workspace: string, env: Environment = process.env): string {
  const name = createHash("sha256").update(realPath(workspace)).digest("hex").slice(0, NAME_LENGTH);
  return join(stateHome(env), name);
}

/**
 * Longest path of a unix socket that a system takes, in bytes. A longer path would be cut off silently. Linux keeps 108
 * bytes with the last NUL, the systems that come from BSD keep 104.
 */
export const socketPathBytes = (platform: NodeJS.Platform = process.platform): number =>
  platform === "linux" ? 107 : 103;
