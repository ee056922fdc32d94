import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { ClawError, LIMITS } from "claw-contract";
import { withFileErrors } from "../../../files/index.ts";
import { runGit, systemShell } from "../../../process/index.ts";
import type { Ports } from "../../runtime/handle.ts";
import { partOf } from "../../runtime/handle.ts";
import { DEMO_CAST, TOTAL } from "./demo-cast.ts";

/** A small project with something left to do in it: what four agents work on in the demonstration. */
const DEMO_FILES: Readonly<Record<string, string>> = {
  "README.md": "# Prices\n\nAdds up what is in a basket.\n",
  "package.json": '{ "name": "prices", "private": true, "type": "module" }\n',
  "src/total.js": TOTAL.replace("Math.round", "Math.floor"),
  "test/total.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/total.js";

test("half a cent is rounded up", () => {
  assert.equal(total([{ price: 10.5, count: 1 }]), 11);
});
`,
  "build/old.js": "// Left over from an earlier build.\n",
};

/**
 * Shell script: waits until the demonstration's process ends. Unless the last word was `over`, runs the clean-up
 * program.
 */
const WAIT = `
trap '' HUP INT TERM
said=
while read -r word; do said=$word; done
[ "$said" = over ] || exec "$@"
`;

interface DemoGuard {
  /** Says that the demonstration ended by itself, or is to be kept: the guard then ends without clean-up. */
  over(): void;
}

/**
 * Starts a guard process, which runs a clean-up command when this process ends without a call of `over`. A killed
 * process cannot clean up itself. The guard runs in a separate session and costs almost nothing.
 */
function startGuard(command: readonly string[]): DemoGuard {
  const [shell, ...args] = systemShell.run(WAIT, "claw-demo-watch", ...command);
  const { PATH, HOME, XDG_STATE_HOME } = process.env;
  const env = { PATH, HOME, XDG_STATE_HOME };
  const child = spawn(shell, args, { cwd: "/", env, detached: true, stdio: ["pipe", "ignore", "ignore"] });
  child.on("error", () => undefined);
  child.unref();
  const pipe = child.stdin as Socket | null;
  pipe?.on("error", () => pipe.destroy());
  pipe?.unref();
  return { over: () => void pipe?.end("over\n") };
}

/** Prefix of the name of a demonstration's folder. */
export const DEMO_PREFIX = "claw-demo-";

/** The environment variable that marks every process started for a demonstration. */
export const demoMark = (folder: string): { readonly name: string; readonly value: string } => ({
  name: "CLAW_DEMO",
  value: folder,
});

/** The repository of a demonstration, in the folder of the demonstration. */
export const demoProject = (folder: string): string => join(folder, "prices");

/** Where a demonstration happens. */
export interface DemoPlace {
  /** Folder of the whole demonstration. Its path marks every process of the demonstration. */
  readonly root: string;
  /** The repository the agents work in. */
  readonly folder: string;
  /** Removes the demonstration if this process is killed. */
  readonly guard: DemoGuard;
  scenarioOf(name: string): string;
}

/** Keeps git away from the user's settings: no hooks, no signatures, no templates. */
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
  throw new ClawError("WORKTREE_FAILED", `git ${args[0]} failed`, {
    operation: "prepare_demo",
    target: "git",
    hint: "Install git; the demonstration works in worktrees of a small repository.",
  });
}

/** Makes a folder with a small repository and the scenarios of the four agents. The caller removes the folder. */
export async function makeDemoPlace({ signal, program }: Pick<Ports, "signal" | "program">): Promise<DemoPlace> {
  const base = tmpdir();
  const folder = withFileErrors("create", base, () => realpathSync(mkdtempSync(join(base, DEMO_PREFIX))));
  const guard = startGuard([...partOf(program)("end-demo"), folder]);
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const project = demoProject(folder);
  const scenarioOf = (name: string): string => join(folder, "agents", `${name}.json`);
  try {
    withFileErrors("write", folder, () => {
      for (const [path, text] of Object.entries(DEMO_FILES)) put(join(project, path), text);
      for (const { name, scenario } of DEMO_CAST) put(scenarioOf(name), JSON.stringify(scenario));
    });
    await git(project, ["init", "-q", "-b", "main"], signal);
    await git(project, ["add", "-A"], signal);
    await git(project, ["commit", "-q", "-m", "Begin"], signal);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    guard.over();
    throw error;
  }
  return { root: folder, folder: project, guard, scenarioOf };
}
