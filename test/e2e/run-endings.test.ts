import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { outputOf } from "../../packages/claw/src/process/testing/output-of.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { processStat } from "./provocations.ts";
import { BINARY, clawJson, responseJson, runClaw } from "./run-claw.ts";
import { agentPid, CLAUDE, print, putAgent, STAYS, STAYS_STUBBORNLY } from "./script-agent.ts";
import type { Workspace } from "./workspace.ts";
import { cleanEnvironment, createWorkspace } from "./workspace.ts";

function prepare(script: string): { workspace: Workspace; env: NodeJS.ProcessEnv } {
  const workspace = createWorkspace();
  return { workspace, env: putAgent(workspace, script) };
}

/** Whether nothing of a group runs any more. */
function isGone(leader: number): boolean {
  try {
    process.kill(-leader, 0);
  } catch {
    return true;
  }
  return /^[ZX?]$/.test(processStat(leader).state);
}

/** Starts a call whose own process can be signalled; ends with its exit. */
function start(
  workspace: Workspace,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  stdio: "pipe" | "ignore" = "pipe",
) {
  const child = spawn(process.execPath, [BINARY, ...args], {
    cwd: workspace.cwd,
    env: cleanEnvironment(workspace, env),
    stdio: ["ignore", stdio, stdio],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, ended: outputOf(child) };
}

const staying = (workspace: Workspace): Promise<number> =>
  until("the agent to stay", () => existsSync(join(workspace.home, "pid")) && agentPid(workspace));

describe.for([
  ["stays silent", STAYS],
  ["does not listen to signals", STAYS_STUBBORNLY],
])("an agent that %s", ([, script = ""]) => {
  test("is ended when its time is over, and what it said is in the answer", async () => {
    const { workspace, env } = prepare(script);
    const body = await clawJson(workspace, ["run", "hi", "--timeout-seconds", "1.5"], { env });
    expect(body).toMatchObject({
      exit_code: 2,
      error: { code: "TIMEOUT" },
      result: { output: "hello", error: "timeout", error_category: "timeout", exit_code: -1 },
    });
    expect(isGone(agentPid(workspace))).toBe(true);
  });

  test("is ended when it was silent for too long", async () => {
    const { workspace, env } = prepare(script);
    const { error, exitCode, meta } = await responseJson(workspace, ["run", "hi", "--idle-timeout-seconds", "0.3"], {
      env,
    });
    expect([error?.code, exitCode]).toEqual(["IDLE_TIMEOUT", 10]);
    expect(meta["partial"]).toMatchObject({ result: { output: "hello", error_category: "timeout" } });
    expect(isGone(agentPid(workspace))).toBe(true);
  });

  test.for([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("is ended with the call on %s, and what it said is in the answer", async ([signal, exit]) => {
    const { workspace, env } = prepare(script);
    const { child, ended } = start(workspace, ["run", "hi", "--output-format", "json", "--envelope", "response"], env);
    const pid = await staying(workspace);
    child.kill(signal);
    const { exitCode, stdout } = await ended;
    expect([exitCode, isGone(pid)]).toEqual([exit, true]);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: "CANCELLED", signal },
      meta: { partial: { result: { output: "hello", error: "cancelled" } } },
    });
  });

  test("is gone when the reader of its stream has hung up", async () => {
    const chatty = script.replace(/exec sleep 600|sleep 0\.05/, `while :; do ${print(CLAUDE.hello)}; sleep 0.05; done`);
    const { workspace, env } = prepare(chatty);
    const { child, ended } = start(workspace, ["run", "hi", "--output-format", "stream-json"], env);
    const pid = await staying(workspace);
    child.stdout?.destroy();
    expect([(await ended).exitCode, isGone(pid)]).toEqual([0, true]);
  });
});

test("a second signal ends call and agent at once", async () => {
  const { workspace, env } = prepare(STAYS_STUBBORNLY);
  const { child, ended } = start(workspace, ["run", "hi", "--output-format", "json"], env);
  const pid = await staying(workspace);
  child.kill("SIGINT");
  child.kill("SIGTERM");
  await ended;
  expect(await until("the agent to be gone", () => isGone(pid))).toBe(true);
});

test("a terminal that hangs up twice leaves the call its time: the agent's answer is told, and no folder is left", async () => {
  const { workspace, env } = prepare(STAYS_STUBBORNLY.replace("trap ''", `trap ': > "$HOME/asked-to-end"'`));
  const temporary = join(workspace.home, "tmp");
  mkdirSync(temporary);
  const { child, ended } = start(workspace, ["run", "hi", "--output-format", "json"], { ...env, TMPDIR: temporary });
  const pid = await staying(workspace);
  child.kill("SIGHUP");
  await until("the agent to be asked to end", () => existsSync(join(workspace.home, "asked-to-end")));
  child.kill("SIGHUP");
  expect(JSON.parse((await ended).stdout)).toMatchObject({ error: { code: "CANCELLED" }, result: { output: "hello" } });
  expect([isGone(pid), readdirSync(temporary)]).toEqual([true, []]);
});

test("a reader that does not read defeats no deadline", async () => {
  const flood = `${STAYS.replace("exec sleep 600", "")}\nwhile :; do ${print(CLAUDE.hello)}; done`;
  const { workspace, env } = prepare(flood);
  const child = spawn(
    process.execPath,
    [BINARY, "run", "hi", "--output-format", "stream-json", "--timeout-seconds", "2"],
    {
      cwd: workspace.cwd,
      env: cleanEnvironment(workspace, env),
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const pid = await staying(workspace);
  expect(await until("the agent to be gone", () => isGone(pid))).toBe(true);
});

test("an agent that is missing leaves its word in every envelope", async () => {
  const workspace = createWorkspace();
  const env = { PATH: "/usr/bin:/bin" };
  const body = await clawJson(workspace, ["run", "hi", "--harness", "claude-code"], { env });
  expect(body).toMatchObject({
    error: { code: "HARNESS_NOT_FOUND", target: "claude" },
    result: { exit_code: -1, error: "Claude CLI not found: claude", error_category: null },
  });
  const { exitCode, error } = await responseJson(workspace, ["run", "hi"], { env });
  // Our own agent is always there; what it lacks is a key.
  expect([exitCode, error?.code]).toEqual([8, "TOKEN_INVALID"]);
  const text = await runClaw(workspace, ["run", "hi", "--harness", "codex"], { env });
  expect([text.stdout, text.stderr.split("\n")[0]]).toEqual([
    "",
    "error[harness_not_found]: Codex CLI not found: codex",
  ]);
});

test("an agent that was ended left nothing in the folder for temporary files", async () => {
  const { workspace, env } = prepare(STAYS);
  const temporary = join(workspace.home, "tmp");
  mkdirSync(temporary);
  await runClaw(workspace, ["run", "hi", "--idle-timeout-seconds", "0.3"], { env: { ...env, TMPDIR: temporary } });
  expect([agentPid(workspace) > 0, readdirSync(temporary)]).toEqual([true, []]);
});
