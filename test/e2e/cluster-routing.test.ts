import { connectWorker } from "claw-client";
import { unixChannel } from "claw-client/node";
import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Machine } from "./cluster-scene.ts";
import { on, spawnOn, startMachines, topicsOf, untilState, workerOn } from "./cluster-scene.ts";
import type { Daemon, Frame } from "./daemon-process.ts";
import { connectWire, isAlive } from "./daemon-process.ts";
import { runClaw } from "./run-claw.ts";
import { openTerminal } from "./terminal-session.ts";
import { endHostAfterTest } from "./terminal-wire.ts";

const SCRIPT = "echo hello; read line; echo got $line of $(stty size | cut -d' ' -f2); read end; exit 7";

/** Sends one request to a daemon. */
async function tell(daemon: Daemon, body: Frame): Promise<Frame> {
  const client = await connectWire(daemon.socket);
  await client.hello("orchestrator", {});
  return client.ask(body);
}

test("a worker on one machine is approved from a second and aborted from a third, and all show the same", async () => {
  const [one, two, three] = await startMachines("one", "two", "three");
  const worker = connectWorker({ channel: unixChannel(one.daemon.socket), name: "fixer" });
  onTestFinished(() => worker.close());
  await worker.boot({ model: "none", mission_summary: "fix it", cwd: one.workspace.cwd });
  for (const [message, data] of [
    ["push?", { tool: "Bash", command: "git push" }],
    ["again?", { tool: "Bash", command: "git push -f" }],
  ] as const) {
    const asking = worker.ask({ message, request_type: "permission", data });
    const { approvals } = await untilState(two, "fixer", "needs_input");
    const [id = ""] = approvals as string[];
    const raced = await Promise.all([on(two, "approve", id), on(three, "approve", id)]);
    const errors = raced.flatMap(({ error }) => (error as Frame | undefined)?.["code"] ?? []);
    expect(errors).toEqual(["APPROVAL_ANSWERED"]);
    expect(await asking).toMatchObject({ approved: true });
    await until("all machines to know", async () => (await workerOn(two, "fixer"))?.["state"] !== "needs_input");
  }
  const topics = await topicsOf(three);
  expect(topics.filter((topic) => topic === "system.approval.answered")).toHaveLength(2);
  expect(topics.filter((topic) => /^cmd\.[^.]+\.(?:approve|reject)$/.test(String(topic)))).toHaveLength(2);
  await spawnOn(one, "w", "--scenario", "hang");
  const aborted = await on(three, "abort", "w");
  expect(aborted.error).toBeUndefined();
  await untilState(two, "w", "aborted");
});

test("logs and changes of a worker are read from another machine", async () => {
  const [one, two] = await startMachines("one", "two");
  await spawnOn(one, "w", "--scenario", "tools", "--wait", "complete");
  const there = String((await on(two, "logs", "w"))["text"]);
  for (const said of ["Bash: ls", "README.md", "Looked around and wrote notes.md."]) expect(there).toContain(said);
  const [own, other] = [await on(one, "diff", "w"), await on(two, "diff", "w")];
  expect(other.error).toEqual(own.error);
});

test("a worker is started on another machine, in its daemon's folder, and its name is taken everywhere", async () => {
  const [one, two] = await startMachines("one", "two");
  const started = await spawnOn(one, "w", "--scenario", "hang", "--on", "two");
  expect(started).toMatchObject({ machine: "two" });
  const seen = await workerOn(one, "w");
  expect(seen).toMatchObject({ machine: "two", cwd: realpathSync(two.workspace.cwd) });
  for (const args of [["ps"], ["ps", "--at", "1s"]]) {
    await until("the machine to be shown", async () =>
      /MACHINE[^]* two /.test((await runClaw(one.workspace, args)).stdout),
    );
  }
  const again = await on(one, "spawn", "--harness", "fake", "--scenario", "hang", "--name", "w", "go");
  expect(again.error).toMatchObject({ code: "WORKER_NAME_TAKEN" });
  const { machines } = await on(one, "machines");
  expect(machines).toMatchObject([
    { name: "one", here: true, up: true, running: 0 },
    { name: "two", here: false, up: true },
  ]);
  expect((await spawnOn(one, "free", "--scenario", "hang", "--on", "any"))["machine"]).toBe("one");
});

test("two machines that start a worker of one name at once: one of them does", async () => {
  const [one, two] = await startMachines("one", "two");
  const spawn = (machine: Machine): ReturnType<typeof on> =>
    on(machine, "spawn", "--harness", "fake", "--scenario", "hang", "--name", "w", "go");
  const started = await Promise.all([spawn(one), spawn(two)]);
  for (const { pid } of started) if (pid !== undefined) onTestFinished(() => void process.kill(Number(pid), "SIGKILL"));
  expect(started.flatMap(({ error }) => (error as Frame | undefined)?.["code"] ?? [])).toEqual(["WORKER_NAME_TAKEN"]);
});

test("a terminal of a worker on one machine is attached from another, both ways, and ends with either side", async () => {
  const [one, two] = await startMachines("one", "two");
  endHostAfterTest(one.workspace);
  const worker = connectWorker({ channel: unixChannel(one.daemon.socket), name: "shell" });
  onTestFinished(() => worker.close());
  const created = await tell(one.daemon, { cmd: "create", name: "work", argv: ["/bin/sh", "-c", SCRIPT] });
  expect(created).toMatchObject({ ok: true });
  await worker.boot({ model: "none", mission_summary: "x", cwd: "/", terminal_id: String(created["id"]) });
  await until("the worker to be known", async () => (await workerOn(two, "shell"))?.["terminal_id"] ?? undefined);
  const session = openTerminal(two.workspace, ["attach", "shell"]);
  await session.shows(/shell on one[^]*hello/);
  session.type("typed there");
  session.press("Enter");
  await session.shows(/^got typed there of 80/m);
  session.press("C-\\");
  await session.shows(/Left terminal/);
  const again = openTerminal(two.workspace, ["attach", "shell"]);
  await again.shows(/got typed there/);
  again.press("Enter");
  await again.shows(/has ended with exit code 7/);
});

test("a machine that is killed while it is asked: the caller is told in time", async () => {
  const [one, two] = await startMachines("one", "two");
  await spawnOn(one, "w", "--scenario", "hang");
  const pid = (JSON.parse(readFileSync(join(one.workspace.cwd, ".claws", "daemon.json"), "utf8")) as Frame)["pid"];
  process.kill(Number(pid), "SIGSTOP");
  onTestFinished(() => {
    if (isAlive(Number(pid))) process.kill(Number(pid), "SIGKILL");
  });
  const asked = on(two, "abort", "w");
  expect((await asked).error).toMatchObject({ code: "MACHINE_AWAY", retryable: true });
  const slow = on(two, "abort", "w");
  process.kill(Number(pid), "SIGKILL");
  expect((await slow).error).toMatchObject({ code: "MACHINE_AWAY" });
});
