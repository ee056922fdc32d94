import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Terminal } from "claw-contract";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { identify, isRunning, TREE_VARIABLE } from "../../process/index.ts";
import { endLeftBehind, endPrograms, variablesOf } from "./end-programs.ts";

/** A word that no other test has in the environment of its programs. */
const ownTree = (): string => `end-programs-${process.pid}-${Math.random()}`;

/** A shell in a session of its own that has said that it is ready. */
async function start(script: string, { tree, cwd = "/" }: { tree?: string; cwd?: string } = {}) {
  const env = { ...process.env, ...variablesOf({ tree: tree ?? null }) };
  const child: ChildProcess = spawn("sh", ["-c", script], {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  if (child.stdout !== null) await once(child.stdout, "data");
  return { child, program: identify(child.pid ?? 0), ended: once(child, "exit") };
}

const aboutOf = (fields: Partial<Terminal>): Terminal => ({ program: null, ...fields }) as Terminal;

test("only what runs in a worker's terminal is marked", () => {
  expect(variablesOf({ tree: "t" })).toEqual({ [TREE_VARIABLE]: "t" });
  expect([variablesOf({ tree: null }), variablesOf({})]).toEqual([{}, {}]);
});

test("what an agent left behind is killed by its mark, and what others left behind stays", async () => {
  const tree = ownTree();
  const [own, other] = [await start("echo; exec sleep 600", { tree }), await start("echo; exec sleep 600")];
  await endLeftBehind(aboutOf({ program: other.program }));
  expect([own, other].map(({ program }) => isRunning(program))).toEqual([true, true]);
  await endLeftBehind(aboutOf({ tree, program: other.program }));
  expect(await own.ended).toEqual([null, "SIGKILL"]);
  expect(isRunning(other.program)).toBe(true);
});

test("a program is told that its terminal is gone, also when it stands still", async () => {
  const { child, program, ended } = await start("trap '' TERM; trap 'exit 3' HUP; echo; while :; do sleep 0.05; done");
  child.kill("SIGSTOP");
  await endPrograms(aboutOf({ program }));
  expect(await ended).toEqual([3, null]);
});

test("commands of a worker's agent are asked to end while the agent lives", async () => {
  const cwd = temporaryFolder(onTestFinished);
  const command = `trap "kill -0 $0 && touch tidied; exit" TERM; echo; while :; do sleep 0.05; done`;
  const tree = ownTree();
  const { program, ended } = await start(`setsid sh -c '${command}' $$ & wait`, { tree, cwd });
  await endPrograms(aboutOf({ tree, program }));
  await ended;
  expect(existsSync(join(cwd, "tidied"))).toBe(true);
});
