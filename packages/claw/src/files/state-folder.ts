import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { errnoOf } from "./file-error.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Characters of the digest that names a workspace's folder. */
const NAME_LENGTH = 16;

/** The path free of links, of the part of it that is there. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return resolve(path);
  }
}

/**
 * Where claw keeps what no tool of an agent may see, outside of every workspace: `$XDG_STATE_HOME/claw`, or
 * `~/.local/state/claw`. Makes nothing.
 */
export function stateHome(env: Environment = process.env): string {
  const { XDG_STATE_HOME: named = "", HOME: home = "" } = env;
  const base = isAbsolute(named) ? named : join(isAbsolute(home) ? home : homedir(), ".local", "state");
  return join(base, "claw");
}

/** The private folder of one workspace in it. The same for every path that leads to the workspace. Makes nothing. */
export function stateFolder(workspace: string, env: Environment = process.env): string {
  const name = createHash("sha256").update(realPath(workspace)).digest("hex").slice(0, NAME_LENGTH);
  return join(stateHome(env), name);
}
