import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ProcessIdentity } from "claw-contract";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { signalTo } from "../system/process-signals.ts";
import { identify, isRunning } from "../process-identity.ts";
import { endMarked, endTree } from "./end-tree.ts";
import { processList } from "../system/process-list.ts";
import { isMarked, TREE_VARIABLE } from "./process-tree.ts";

const FIRMLY = { politeMs: 0, firmMs: 20_000 };

/** Runs a script that leaves something behind and notes its pid in `left`; resolves with what it left. */
async function leave(
  script: string,
  env: NodeJS.ProcessEnv,
): Promise<{ left: ProcessIdentity; shell: ProcessIdentity; cwd: string }> {
  const cwd = temporaryFolder(onTestFinished);
  const child = spawn("sh", ["-c", script], { cwd, env: { ...process.env, ...env }, detached: true, stdio: "ignore" });
  const shell = identify(child.pid ?? 0);
  const noted = (): number => {
    try {
      return Number(readFileSync(join(cwd, "left"), "utf8"));
    } catch {
      // It did not come to that yet.
      return 0;
    }
  };
  await expect.poll(noted, { interval: 5, timeout: 60_000 }).toBeGreaterThan(0);
  const left = identify(noted());
  onTestFinished(() => {
    for (const { pid } of [shell, left]) signalTo(pid, "SIGKILL");
  });
  return { left, shell, cwd };
}

/** A shell line that notes its own pid, whole or not at all, and stays. */
const STAYS = "echo $$ > left.tmp; mv left.tmp left; exec sleep 600";

test("ends what has left its group and its parents, and nothing without the mark", async () => {
  const orphan = `setsid sh -c '${STAYS}' &`;
  const [{ left: marked }, { left: other }] = [
    await leave(orphan, { CLAW_TEST_MARK: "one" }),
    await leave(orphan, { CLAW_TEST_MARK: "one-more" }),
  ];
  await endMarked("CLAW_TEST_MARK=one", FIRMLY.firmMs);
  expect([marked, other].map((identity) => isRunning(identity))).toEqual([false, true]);
});

test("finds a tree among the trees that a process belongs to, and no other of a similar name", async () => {
  const { left } = await leave(STAYS, { [TREE_VARIABLE]: "outer.1 inner.10" });
  const isOf = (mark: string): boolean => isMarked(left.pid, `${TREE_VARIABLE}=${mark}`);
  // While a process changes its program, it shows no variables.
  await expect.poll(() => isOf("outer.1")).toBe(true);
  expect(["outer.1", "inner.10", "inner.1", "outer", "inner.10 "].map(isOf)).toEqual([true, true, false, false, false]);
});

test.for<[string, string]>([
  ["child of a marked process", `env -i sh -c '${STAYS}' & wait`],
  ["child in a session of its own", `env -i setsid sh -c '${STAYS}' & wait`],
  ["orphan in the session of the first process", `env -i sh -c '${STAYS}' & exit 0`],
])("ends a process without an environment: a %s", async ([, script]) => {
  const { left, shell } = await leave(script, { CLAW_TEST_MARK: "scrubbed" });
  await endTree({ leader: shell, mark: "CLAW_TEST_MARK=scrubbed" }, FIRMLY);
  expect([isRunning(left), isRunning(shell)]).toEqual([false, false]);
});

test.for([
  [
    "two that start each other anew whenever one dies",
    'while [ -e go ]; do kill -0 "$1" 2> /dev/null || { setsid sh -c "$SELF" sh $$ & set -- $!; }; sleep 0.01; done',
  ],
  ["one that is another process every moment", '[ -e go ] && sh -c "$SELF" &'],
])("ends %s", async ([name, script]) => {
  const mark = `CLAW_TEST_MARK=${name}`;
  await leave(': > go; sh -c "$SELF" sh 0 & echo $$ > left.tmp; mv left.tmp left; exec sleep 600', {
    SELF: script,
    CLAW_TEST_MARK: name,
  });
  await endMarked(mark, FIRMLY.firmMs);
  const left = [...processList.table()].filter(([pid, { state }]) => state !== "Z" && isMarked(pid, mark));
  expect(left).toEqual([]);
});

test("lets the commands of a program end before the program, so that they tidy up while it lives", async () => {
  const command =
    'trap "sleep 0.3; kill -0 $1 && rm guard; exit 0" TERM; echo $$ > left.tmp; mv left.tmp left; while :; do sleep 0.01; done';
  const { shell, left, cwd } = await leave(': > guard; setsid sh -c "$COMMAND" sh $$ & exec sleep 600', {
    COMMAND: command,
  });
  expect(await endTree({ leader: shell, mark: null }, { commandsMs: 60_000, politeMs: 5000, firmMs: 5000 })).toBe(true);
  expect([isRunning(shell), isRunning(left), readdirSync(cwd)]).toEqual([false, false, ["left"]]);
});

test("leaves alone a process that was given the number of one that is gone", async () => {
  const { shell } = await leave(STAYS, {});
  await endTree({ leader: { pid: shell.pid, started: "1" }, mark: null }, FIRMLY);
  expect(isRunning(shell)).toBe(true);
});
