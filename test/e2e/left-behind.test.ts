import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { isAlive, killHard } from "./daemon-process.ts";
import { BINARY, clawJson } from "./run-claw.ts";
import { CLAUDE, print, putAgent } from "./script-agent.ts";
import { endHostAfterTest } from "./terminal-wire.ts";
import { openScene } from "./worker-scene.ts";
import type { Workspace } from "./workspace.ts";
import { cleanEnvironment, createWorkspace } from "./workspace.ts";

/** What a tool of an agent does to leave something behind: each notes its pid in a file of its own. */
const stays = (name: string): string => `echo $$ > ${name}.tmp; mv ${name}.tmp ${name}.left; exec sleep 600`;
const LEAVERS = [
  `sh -c '${stays("child")}' > /dev/null 2>&1 &`,
  `setsid sh -c '${stays("session")}' > /dev/null 2>&1 &`,
  `nohup setsid sh -c 'sh -c "${stays("orphan").replace("$$", "\\$\\$")}" & exit 0' > /dev/null 2>&1 &`,
  `env -i PATH="$PATH" sh -c '${stays("scrubbed")}' > /dev/null 2>&1 &`,
];
const LEAVE = `${LEAVERS.join("\n")}\nwhile [ "$(ls ./*.left 2> /dev/null | wc -l)" -lt ${LEAVERS.length} ]; do sleep 0.01; done`;

/** Pids of what a tool left behind, once all of it is there. */
const left = ({ cwd }: Workspace): Promise<number[]> =>
  until("everything that is left behind", () => {
    const names = readdirSync(cwd).filter((name) => name.endsWith(".left"));
    const pids = names.map((name) => Number(readFileSync(join(cwd, name), "utf8")));
    onTestFinished(() => {
      for (const pid of pids) if (isAlive(pid)) process.kill(pid, "SIGKILL");
    });
    return pids.length === LEAVERS.length && pids;
  });

const areGone = (pids: readonly number[]): boolean => !pids.some(isAlive);

/** Starts claw in a group of its own. */
function begin(workspace: Workspace, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const options = { cwd: workspace.cwd, env: cleanEnvironment(workspace, env), detached: true } as const;
  const child = spawn(process.execPath, [BINARY, ...args], { ...options, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

describe("what the tools of an agent leave behind", () => {
  const HEARD = `${print(CLAUDE.init)}\n${LEAVE}`;

  test("ends with `claw run`", async () => {
    const workspace = createWorkspace();
    const env = putAgent(workspace, `${HEARD}\n${print(CLAUDE.hello, CLAUDE.result)}`);
    const { result } = (await clawJson(workspace, ["run", "hi"], { env })) as unknown as {
      result: { warnings: string[] };
    };
    const pids = await left(workspace);
    expect([areGone(pids), result.warnings]).toEqual([
      true,
      ["leftover-processes: something the agent started still ran and was ended"],
    ]);
  });

  test("ends at the deadline of `claw run`", async () => {
    const workspace = createWorkspace();
    const env = putAgent(workspace, `${HEARD}\nexec sleep 600`);
    const flags = ["--idle-timeout-seconds", "2"];
    const call = clawJson(workspace, ["run", "hi", ...flags], { env });
    const pids = await left(workspace);
    expect([(await call).error?.code, areGone(pids)]).toEqual(["IDLE_TIMEOUT", true]);
  });

  test.for([
    ["its process", (child: ChildProcess): boolean => child.kill("SIGKILL")],
    ["its whole group", ({ pid = 0 }: ChildProcess): boolean => process.kill(-pid, "SIGKILL")],
  ] as const)("ends when %s is killed, with the agent", async ([, kill]) => {
    const workspace = createWorkspace();
    const agent = `echo $$ > agent.tmp && mv agent.tmp agent\n${HEARD}\ntrap '' TERM; while :; do sleep 0.05; done`;
    const child = begin(workspace, ["run", "hi"], putAgent(workspace, agent));
    const pids = [...(await left(workspace)), Number(readFileSync(join(workspace.cwd, "agent"), "utf8"))];
    const ended = once(child, "exit");
    kill(child);
    await ended;
    expect(await until("everything to be gone", () => areGone(pids))).toBe(true);
  });

  test("ends when claw is killed while its own agent's tool runs", async () => {
    const workspace = createWorkspace();
    const call = JSON.stringify({ command: `${LEAVE}\nsleep 600`, dangerouslyDisableSandbox: true });
    const flags = ["--permission-mode", "danger-full-access"];
    const child = begin(workspace, ["exec-tool", "bash", call, ...flags], {});
    const pids = await left(workspace);
    expect(pids.every(isAlive)).toBe(true);
    child.kill("SIGKILL");
    expect(await until("everything to be gone", () => areGone(pids))).toBe(true);
  });
});

describe("what the agent of a worker leaves behind", () => {
  const tool = { type: "tool", name: "Bash", input: {}, runs: LEAVE, output: "" } as const;

  test("ends when the worker is aborted", async () => {
    const { workspace, spawn: spawnWorker } = await openScene();
    const worker = await spawnWorker({ steps: [tool, { type: "hang" }] });
    const pids = await left(workspace);
    await worker.command("abort", { reason: "enough" });
    expect(await worker.complete()).toMatchObject({ result: "cancelled" });
    expect(areGone(pids)).toBe(true);
  });

  test("ends when the worker is done", async () => {
    const { workspace, spawn: spawnWorker } = await openScene();
    const worker = await spawnWorker({ steps: [tool, { type: "text", text: "Done." }] });
    expect(await worker.complete()).toMatchObject({ result: "ok" });
    expect(areGone(await left(workspace))).toBe(true);
  });

  test("ends when the worker is killed while there is no daemon, and not before", async () => {
    const { workspace, daemon, spawn: spawnWorker } = await openScene();
    const worker = await spawnWorker({ steps: [tool, { type: "hang" }] });
    const pids = await left(workspace);
    await killHard(daemon.pid);
    expect([isAlive(worker.pid), pids.every(isAlive)]).toEqual([true, true]);
    await killHard(worker.pid);
    expect(await until("everything to be gone", () => areGone(pids))).toBe(true);
  });

  test("ends when an interactive worker is aborted", async () => {
    const { workspace, spawn: spawnWorker } = await openScene();
    endHostAfterTest(workspace);
    const worker = await spawnWorker({ steps: [tool, { type: "text", text: "Hm." }] }, "--interactive");
    const pids = await left(workspace);
    await worker.command("abort", { reason: "enough" });
    expect(await worker.complete()).toMatchObject({ result: "cancelled" });
    expect(await until("everything to be gone", () => areGone(pids))).toBe(true);
  });

  test("ends when the agent of an interactive worker ends itself", async () => {
    const { workspace, client, spawn: spawnWorker } = await openScene();
    endHostAfterTest(workspace);
    const worker = await spawnWorker({ steps: [tool, { type: "text", text: "Hm." }] }, "--interactive");
    const pids = await left(workspace);
    const isDone = (found: readonly { readonly [name: string]: unknown }[]): boolean =>
      found.some(({ signal }) => signal === "turn_ended");
    await worker.until("its turn", isDone, "signal");
    client.send({ cmd: "send", id: "1", text: "/exit", paste: true });
    await worker.complete();
    expect(await until("everything to be gone", () => areGone(pids))).toBe(true);
  });
});
