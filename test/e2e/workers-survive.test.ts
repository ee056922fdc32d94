import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Frame } from "./daemon-process.ts";
import { clawsFile, connectWire, isAlive, readLog, startDaemon } from "./daemon-process.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const LINES = 3000;

/** Prints half of its lines, the others once a file is there, whoever listens; and ends when it is told to. */
const printer = (file: string): string =>
  `i=0; while [ $i -lt ${LINES} ]; do echo "line $i of many"; i=$((i+1)); ` +
  `[ $i -eq ${LINES / 2} ] && until [ -e '${file}' ]; do sleep 0.05; done; done; read end`;

const printed = Array.from({ length: LINES }, (_, index) => `line ${index} of many\r\n`).join("");

function makeRepository({ cwd }: Workspace): void {
  const git = (...args: string[]): void => {
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], { cwd, stdio: "ignore" });
  };
  git("init", "-q");
  git("commit", "-q", "--allow-empty", "-m", "begin");
}

/** What the agents play. The slow ones are at work while there is no daemon. */
const SCENARIOS = {
  asker: {
    steps: [
      {
        type: "permission",
        tool: "Bash",
        input: { command: "touch asked" },
        runs: "touch asked",
        allowed: [{ type: "text", text: "It was allowed." }],
      },
    ],
  },
  doomed: { steps: [{ type: "text", text: "I begin." }, { type: "hang" }] },
  steady: {
    steps: [
      {
        type: "repeat",
        times: 40,
        steps: [
          { type: "tool", name: "Bash", input: { command: "echo x" }, runs: "echo x >> steady.txt" },
          { type: "wait", ms: 100 },
        ],
      },
      { type: "text", text: "All forty are done." },
    ],
  },
} as const;

const MODEL_SCRIPT = {
  turns: [
    { blocks: [{ type: "tool", name: "bash", input: { command: "sleep 3; echo made > made.txt" } }] },
    { blocks: [{ type: "text", text: "made.txt is there." }] },
  ],
};

const payloadOf = (event: Frame): Frame => event["payload"] as Frame;
const dataOf = (event: Frame): Frame => (payloadOf(event)["data"] as Frame | undefined) ?? payloadOf(event);

/** Data of the events on a topic, in order; those of the server about one worker when it is named. */
const logged = (workspace: Workspace, topic: string, peerId?: string): Frame[] =>
  readLog(workspace)
    .filter((event) => event["topic"] === topic)
    .map(dataOf)
    .filter((data) => peerId === undefined || data["peerId"] === peerId);

async function spawn(workspace: Workspace, name: string, ...flags: string[]): Promise<{ id: string; pid: number }> {
  const args = ["spawn", "--name", name, "--worktree", ...flags, `work as ${name}`];
  const { error, ...body } = await clawJson(workspace, args);
  expect(error).toBeUndefined();
  return { id: String(body["peer_id"]), pid: Number(body["pid"]) };
}

async function spawnFake(workspace: Workspace, name: keyof typeof SCENARIOS, ...flags: string[]) {
  const file = join(workspace.home, `${name}.json`);
  writeFileSync(file, JSON.stringify(SCENARIOS[name]));
  return spawn(workspace, name, "--harness", "fake", "--scenario", file, ...flags);
}

function rawOutput(workspace: Workspace, terminalId: string): string {
  const folder = join(clawsFile(workspace, "terminals"), terminalId);
  const files = readdirSync(folder).filter((file) => file.endsWith(".raw"));
  return files
    .toSorted()
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("");
}

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Ends a daemon with everything in its process group, as if somebody pulled the plug on it. */
async function killGroup(pid: number): Promise<void> {
  process.kill(-pid, "SIGKILL");
  await until("the daemon to be gone", () => !isAlive(pid));
}

test("workers and terminals outlive the daemon, and everything is there once afterwards", async () => {
  const workspace = createWorkspace();
  makeRepository(workspace);
  const daemon = await startDaemon(workspace);
  writeFileSync(join(workspace.home, "script.json"), JSON.stringify(MODEL_SCRIPT));
  const script = `scripted:${join(workspace.home, "script.json")}`;
  const asker = await spawnFake(workspace, "asker", "--check", "test -e asked");
  const doomed = await spawnFake(workspace, "doomed");
  const steady = await spawnFake(workspace, "steady", "--check", 'test "$(wc -l < steady.txt)" -eq 40');
  const own = await spawn(workspace, "own", "--harness", "claw", "--model", script, "--check", "test -s made.txt");
  const wire = await connectWire(daemon.socket);
  const alone = join(workspace.home, "alone");
  const { terminalId, id = terminalId } = await wire.ask({
    cmd: "create",
    wrapped: true,
    argv: ["sh", "-c", printer(alone)],
  });
  const terminal = String(id);
  const ptyPid = async (client: typeof wire): Promise<unknown> => {
    const { terminals } = await client.ask({ cmd: "list" });
    return (terminals as Frame[]).find((each) => each["id"] === terminal)?.["ptyPid"];
  };
  const pid = await ptyPid(wire);
  expect(pid).toEqual(expect.any(Number));

  await until("the question", () => logged(workspace, "system.approval.opened", asker.id).length === 1);
  expect((await clawJson(workspace, ["approve", "asker"])).error).toBeUndefined();
  expect(await clawJson(workspace, ["abort", "doomed", "--reason", "not needed"])).toMatchObject({ step: "applied" });

  await killGroup(daemon.pid);
  expect(rawOutput(workspace, terminal).length).toBeLessThan(printed.length);
  writeFileSync(alone, "");
  await until("the terminal to go on", () => rawOutput(workspace, terminal).length >= printed.length);
  await startDaemon(workspace);

  const again = await connectWire(daemon.socket);
  expect(await ptyPid(again)).toBe(pid);
  expect(hash(rawOutput(workspace, terminal))).toBe(hash(printed));
  for (const worker of [asker, steady, own]) {
    await until("its checks", () => logged(workspace, "system.worker.verified", worker.id).length === 1);
  }
  await until("all to have ended", () =>
    [asker, doomed, steady, own].every(
      ({ id: each }) => logged(workspace, "system.worker.terminated", each).length === 1,
    ),
  );

  const { workers } = await clawJson(workspace, ["ps", "--all"]);
  expect(workers).toMatchObject([
    { name: "asker", state: "finished", completion: "verified", attempt: 1 },
    { name: "doomed", state: "aborted", attempt: 1 },
    { name: "steady", state: "finished", completion: "verified", attempt: 1 },
    { name: "own", state: "finished", completion: "verified", attempt: 1 },
  ]);
  for (const worker of [asker, doomed, steady, own]) {
    expect(logged(workspace, "system.worker.spawned", worker.id)).toMatchObject([{ pid: worker.pid }]);
    expect(logged(workspace, `worker.${worker.id}.boot`)).toHaveLength(1);
    expect(logged(workspace, `worker.${worker.id}.complete`)).toHaveLength(1);
    expect(logged(workspace, "system.worker.completed", worker.id)).toHaveLength(1);
  }
  expect(logged(workspace, `worker.${doomed.id}.complete`)).toMatchObject([{ result: "cancelled" }]);
  expect(logged(workspace, "system.approval.answered", asker.id)).toMatchObject([{ decision: "approve" }]);
  const rungs = readLog(workspace)
    .filter(({ topic }) => String(topic).startsWith("system.command."))
    .map((event) => `${String(event["topic"])} ${String(dataOf(event)["commandId"])}`);
  expect(rungs.length).toBeGreaterThan(4);
  expect(new Set(rungs).size).toBe(rungs.length);
  const log = readLog(workspace);
  expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index + 1));
  const ids = log.map((event) => payloadOf(event)["id"]).filter((each) => each !== undefined);
  expect(new Set(ids).size).toBe(ids.length);
  again.send({ cmd: "close", id: terminal });
  await until("the terminal to be closed", () => logged(workspace, "system.terminal.closed").length === 1);
});
