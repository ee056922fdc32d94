import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { stateFolder } from "../../packages/claw/src/files/index.ts";
import { temporaryFolder } from "../../packages/claw/src/files/testing/temporary-folder.ts";

/** An empty folder to work in, with a home of its own beside it. Both go away with the test. */
export interface Workspace {
  readonly cwd: string;
  readonly home: string;
  /** Flags with which tests start its daemon. */
  readonly upFlags?: readonly string[];
  /** Variables of its daemon and its calls besides those that all have. */
  readonly env?: NodeJS.ProcessEnv;
}

export function createWorkspace(upFlags: readonly string[] = []): Workspace {
  const base = temporaryFolder(onTestFinished);
  const cwd = join(base, "project");
  const home = join(base, "home");
  mkdirSync(cwd);
  mkdirSync(home);
  return { cwd, home, upFlags };
}

/** A file with secrets of the workspace's daemon. */
export const secretFile = ({ cwd, home }: Workspace, name: string): string =>
  join(stateFolder(cwd, { HOME: home }), name);

/**
 * The environment of a call: nothing of the developer's own settings, keys or colours, and no repository above it. Only
 * compiled code is shared by all tests.
 */
export function cleanEnvironment({ home, env = {} }: Workspace, extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const own = { HOME: home, CLAW_CONFIG_HOME: join(home, ".claw"), GIT_CEILING_DIRECTORIES: dirname(home) };
  const { PATH, XDG_CACHE_HOME } = process.env;
  return { PATH, XDG_CACHE_HOME, LANG: "C.UTF-8", ...own, ...env, ...extra };
}
