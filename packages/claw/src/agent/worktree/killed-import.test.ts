import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { expect, onTestFinished, test, vi } from "vitest";
import { findProgram } from "../../process/index.ts";
import { needSandbox } from "../sandbox/testing/workspace-with-canary.ts";
import { createCommandGit } from "./command-git.ts";
import { readTipRecord } from "./tip-record.ts";
import type { WorkerCage } from "./testing/worker-cage.ts";
import { askGit, openWorkerCage } from "./testing/worker-cage.ts";

/** A process that takes the commits of a worktree, once. */
const PROGRAM = `
import { probeSandbox } from "../sandbox/probe-sandbox.ts";
import { takeLeftCommits } from "./command-git.ts";
const root = process.argv[2];
const probe = () => probeSandbox({ workspace: { root, extraFolders: [] }, env: process.env });
process.exitCode = (await takeLeftCommits(root, probe)) === null ? 0 : 1;
`;

const PATIENCE = { timeout: 60_000, interval: 10 };

interface Killing {
  /** Command of git at which the importing process is killed. */
  readonly at: string;
  /** Whether git itself goes on without it. */
  readonly goesOn: boolean;
}

interface Killer {
  /** Takes the commits in a process that is killed on the way. Resolves with the signal that ended it. */
  readonly take: (killing: Killing) => Promise<unknown>;
}

/** Stands before the real git, and kills the process that started it when it comes to a command. */
const killingGit = (git: string, orders: string): string => `#!/bin/sh
if [ -e ${orders}/at ] && [ "$(cat ${orders}/at)" = "$1" ]; then
  rm ${orders}/at
  kill -9 $PPID
  [ -e ${orders}/goes-on ] && ${git} "$@" > /dev/null 2>&1
  touch ${orders}/over
  exit 1
fi
exec ${git} "$@"
`;

function createKiller({ cage, tree }: WorkerCage): Killer {
  const [bin, orders, program] = ["bin", "orders", "program.mjs"].map((name) => join(cage.outside, name));
  if (bin === undefined || orders === undefined || program === undefined) throw new Error("no folder");
  const git = findProgram("git", { path: process.env["PATH"], cwd: "/" });
  if (git.kind !== "found") throw new Error("no git");
  for (const folder of [bin, orders]) mkdirSync(folder);
  writeFileSync(join(bin, "git"), killingGit(git.path, orders), { mode: 0o755 });
  const resolveDir = fileURLToPath(new URL(".", import.meta.url));
  const stdin = { contents: PROGRAM, resolveDir, loader: "ts" as const };
  buildSync({ stdin, outfile: program, bundle: true, platform: "node", format: "esm" });
  const env = { ...process.env, PATH: [bin, process.env["PATH"]].join(delimiter) };
  return {
    take: async (killing) => {
      for (const name of readdirSync(orders)) rmSync(join(orders, name));
      if (killing.goesOn) writeFileSync(join(orders, "goes-on"), "");
      writeFileSync(join(orders, "at"), killing.at);
      const [code, signal] = (await once(spawn(process.execPath, [program, tree.root], { env }), "exit")) as unknown[];
      // The git that went on without it has to end before the next process looks.
      await vi.waitFor(() => expect(existsSync(join(orders, "over"))).toBe(true), PATIENCE);
      return signal ?? code;
    },
  };
}

test("a process that is killed while it takes commits loses none and leaves none half taken, wherever it was", async () => {
  const scene = openWorkerCage(onTestFinished);
  const { tree, folder, ask, git } = scene;
  await git.prepare();
  const { take } = createKiller(scene);
  const sandbox = needSandbox({ root: tree.root, extraFolders: [] });
  const killings: Killing[] = [
    ...["index-pack", "unpack-objects", "reset"].map((at) => ({ at, goesOn: true })),
    ...[true, false].map((goesOn) => ({ at: "update-ref", goesOn })),
  ];
  for (const [index, killing] of killings.entries()) {
    const before = ask("rev-parse", "claw/w");
    const inPrivate = (...args: string[]): string =>
      askGit(tree.root, `--git-dir=${folder}`, `--work-tree=${tree.root}`, ...args);
    writeFileSync(join(tree.root, `f${index}`), `${index}\n`);
    inPrivate("add", `f${index}`);
    inPrivate("commit", "-q", "-m", `${index}`);
    const made = inPrivate("rev-parse", "HEAD");
    expect(await take(killing)).toBe("SIGKILL");
    expect([before, made]).toContain(ask("rev-parse", "claw/w"));
    // Whatever the branch names is there as a whole.
    ask("rev-list", "--objects", "--quiet", "claw/w");
    await createCommandGit(tree, () => sandbox).prepare();
    expect({ killing, tip: ask("rev-parse", "claw/w") }).toEqual({ killing, tip: made });
    expect(readTipRecord(tree)).toMatchObject({ tip: made, moving: null });
    expect(askGit(tree.root, "status", "--short")).toBe("");
  }
  expect(ask("rev-list", "--count", "main..claw/w")).toBe(String(killings.length));
  expect(ask("fsck", "--strict", "--no-dangling")).toBe("");
  expect(readdirSync(tree.place).filter((name) => name.startsWith("import-"))).toEqual([]);
});
