import { connectWorker } from "claw-client";
import { unixChannel } from "claw-client/node";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startNatsServer } from "../../packages/claw/src/cluster/testing/nats-server.ts";
import { temporaryFolder } from "../../packages/claw/src/files/testing/temporary-folder.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Daemon, Frame } from "./daemon-process.ts";
import { isAlive, startDaemon } from "./daemon-process.ts";
import { clawJson, runClaw } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

interface Machine {
  readonly workspace: Workspace;
  readonly daemon: Daemon;
}

/** A daemon of a machine of its own. */
async function startMachine(url: string, machine: string): Promise<Machine> {
  const workspace = createWorkspace();
  const flags = ["--bus", url, "--cluster", "test", "--machine", machine];
  return { workspace, daemon: await startDaemon(workspace, ...flags) };
}

async function startTwo(): Promise<readonly [Machine, Machine]> {
  const folder = temporaryFolder(onTestFinished);
  const server = await startNatsServer({ folder: join(folder, "nats") });
  onTestFinished(() => server.kill());
  return [await startMachine(server.url, "one"), await startMachine(server.url, "two")];
}

async function eventsOf({ workspace }: Machine): Promise<Frame[]> {
  const { events } = await clawJson(workspace, ["events", "--since", "0000:0", "--limit", "1000"]);
  return events as Frame[];
}

const stateOn = async ({ workspace }: Machine, name: string): Promise<unknown> => {
  const { workers } = await clawJson(workspace, ["ps", "--all"]);
  return (workers as Frame[]).find((worker) => worker["name"] === name)?.["state"];
};

async function untilState(machine: Machine, name: string, state: string): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
    if ((await stateOn(machine, name)) === state) return;
  }
  throw new Error(`${name} is ${String(await stateOn(machine, name))}, not ${state}`);
}

test("a worker on one machine is shown on another, approved there, and its answer comes back", async () => {
  const [one, two] = await startTwo();
  const worker = connectWorker({ channel: unixChannel(one.daemon.socket), name: "fixer" });
  onTestFinished(() => worker.close());
  await worker.boot({ model: "none", mission_summary: "fix it", cwd: one.workspace.cwd });
  const asking = worker.ask({
    message: "push?",
    request_type: "permission",
    data: { tool: "Bash", command: "git push" },
  });
  await untilState(two, "fixer", "needs_input");
  const { approvals } = await clawJson(two.workspace, ["approvals"]);
  const [{ approval_id: id = "" } = {}] = approvals as { approval_id?: string }[];
  expect(await clawJson(two.workspace, ["approve", id])).toMatchObject({ effect: "updated" });
  expect(await asking).toMatchObject({ approved: true });
  await until("both machines to tell the same", async () => {
    const [here, there] = [await eventsOf(one), await eventsOf(two)];
    return JSON.stringify(here) === JSON.stringify(there) ? true : undefined;
  });
  const topics = (await eventsOf(two)).map(({ topic }) => topic);
  for (const topic of ["system.approval.opened", "system.approval.answered"]) {
    expect(topics.filter((each) => each === topic)).toHaveLength(1);
  }
});

test("a worker that claw started on one machine is aborted from another", async () => {
  const [one, two] = await startTwo();
  const started = await clawJson(one.workspace, [
    "spawn",
    "--harness",
    "fake",
    "--scenario",
    "hang",
    "--name",
    "w",
    "go",
  ]);
  expect(started.error).toBeUndefined();
  const pid = Number(started["pid"]);
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, "SIGKILL");
  });
  expect(await stateOn(two, "w")).toBeDefined();
  const { stdout } = await runClaw(two.workspace, ["abort", "w"]);
  expect(stdout).not.toBe("");
  await untilState(two, "w", "aborted");
  await untilState(one, "w", "aborted");
  await until("its process to end", () => !isAlive(pid));
  const ends = (await eventsOf(two)).filter(({ topic }) => topic === "system.worker.terminated");
  expect(ends).toHaveLength(1);
});
