import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ClawError, LIMITS } from "@claw/contract";
import { withFileErrors } from "../../files/index.ts";
import { runGit } from "../../process/index.ts";
import { DEMO_CAST } from "./demo-cast.ts";
import { DEMO_FILES } from "./demo-project.ts";

/** Where a demonstration happens. */
export interface DemoPlace {
  readonly folder: string;
  /** A variable that everything started for it has in its environment. */
  readonly mark: { readonly name: string; readonly value: string };
  scenarioOf(name: string): string;
  remove(): void;
}

/** Nothing of the user's own settings: no hooks, no signatures, no templates. */
const GIT_ENVIRONMENT = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "claw",
  GIT_AUTHOR_EMAIL: "claw@localhost",
  GIT_COMMITTER_NAME: "claw",
  GIT_COMMITTER_EMAIL: "claw@localhost",
};

async function git(cwd: string, args: readonly [string, ...string[]], signal: AbortSignal): Promise<void> {
  const limits = { timeoutMs: LIMITS.gitTimeoutMs, maxOutputBytes: LIMITS.commandOutputBytes };
  const ended = await runGit({ args, cwd, env: GIT_ENVIRONMENT, ...limits }, signal);
  signal.throwIfAborted();
  if (ended.kind === "exited" && ended.code === 0) return;
  throw new ClawError("WORKTREE_FAILED", `git ${args[0]} did not work`, {
    operation: "prepare_demo",
    target: "git",
    hint: "Install git; the demonstration works in worktrees of a small repository.",
  });
}

/** Makes a folder with a small repository and what the four agents play. The caller removes it. */
export async function makeDemoPlace(signal: AbortSignal): Promise<DemoPlace> {
  const base = tmpdir();
  const folder = withFileErrors("create", base, () => realpathSync(mkdtempSync(join(base, "claw-demo-"))));
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const project = join(folder, "prices");
  const scenarioOf = (name: string): string => join(folder, "agents", `${name}.json`);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    withFileErrors("write", folder, () => {
      for (const [path, text] of Object.entries(DEMO_FILES)) put(join(project, path), text);
      for (const { name, scenario } of DEMO_CAST) put(scenarioOf(name), JSON.stringify(scenario));
    });
    await git(project, ["init", "-q", "-b", "main"], signal);
    await git(project, ["add", "-A"], signal);
    await git(project, ["commit", "-q", "-m", "Begin"], signal);
  } catch (error) {
    remove();
    throw error;
  }
  return { folder: project, mark: { name: "CLAW_DEMO", value: folder }, scenarioOf, remove };
}
