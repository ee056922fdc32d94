import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../../packages/claw/src/files/testing/temporary-folder.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { LiveCall } from "./daemon-process.ts";
import { beginClaw, clawsFile, connectWire, isAlive, startDaemon, stopAfterTest } from "./daemon-process.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

/** Everything in the folder, by name. */
const namesIn = (workspace: Workspace): string[] =>
  readdirSync(clawsFile(workspace, "."), { recursive: true, encoding: "utf8" }).toSorted((a, b) => (a < b ? -1 : 1));

const removeFile = (name: string) => (workspace: Workspace) => rmSync(clawsFile(workspace, name), { recursive: true });

const replaceFolder = (workspace: Workspace): void => {
  renameSync(clawsFile(workspace, "."), join(workspace.cwd, "old"));
  mkdirSync(clawsFile(workspace, "."));
  writeFileSync(clawsFile(workspace, "daemon.log"), "");
};

const removeWorkspace = ({ cwd }: Workspace): void => {
  removeFolder(cwd);
  mkdirSync(cwd);
};

async function startForeground(workspace: Workspace): Promise<LiveCall> {
  const call = beginClaw(workspace, ["up", "--foreground", "--output-format", "stream-json"]);
  await call.line("it to listen", (line) => line.includes('"listening"'));
  return call;
}

describe("a daemon whose place is gone ends, says why, and another can begin", () => {
  test.each<[string, (workspace: Workspace) => void]>([
    ["its folder is removed", removeFile(".")],
    ["the workspace is removed", removeWorkspace],
    ["its folder is replaced", replaceFolder],
    ["its folder is moved", (workspace) => renameSync(clawsFile(workspace, "."), join(workspace.cwd, "old"))],
    ["its socket is removed", removeFile("claws.sock")],
    ["its record is removed", removeFile("daemon.json")],
    ["its lock is removed", removeFile("daemon.lock")],
    ["its log is removed", removeFile("log")],
  ])("when %s", async (_what, change) => {
    const workspace = createWorkspace();
    const call = await startForeground(workspace);
    await clawJson(workspace, ["publish", "note.x", "1"]);
    change(workspace);
    const { exitCode, stdout, stderr } = await call.ended;
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" });
    const { error } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as {
      error: { code: string; message: string };
    };
    expect(error).toMatchObject({ code: "DAEMON_FAILED", message: expect.stringContaining("removed or replaced") });
    await startDaemon(workspace);
    expect(await clawJson(workspace, ["publish", "note.y", "2"])).toMatchObject({ effect: "created" });
    expect(await clawJson(workspace, ["events", "--topic", "note.y"])).toMatchObject({ events_count: 1 });
  });

  test("writes the reason into its own log, wherever that is by now", async () => {
    const workspace = createWorkspace();
    const call = await startForeground(workspace);
    replaceFolder(workspace);
    await call.ended;
    const lines = readFileSync(join(workspace.cwd, "old", "daemon.log"), "utf8")
      .trimEnd()
      .split("\n");
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ event: "lost", what: join(workspace.cwd, ".claws") });
    expect(readFileSync(clawsFile(workspace, "daemon.log"), "utf8")).toBe("");
  });

  test("and leaves alone what has taken its place meanwhile", async () => {
    const workspace = createWorkspace();
    const first = await startDaemon(workspace);
    const client = await connectWire(first.socket);
    await client.hello("orchestrator");
    for (let n = 0; n < 100; n += 1) client.send({ cmd: "publish", topic: "note.old", payload: n });
    // Nothing of the first is answered before it hears of it: it cannot run meanwhile.
    process.kill(first.pid, "SIGSTOP");
    onTestFinished(() => void (isAlive(first.pid) && process.kill(first.pid, "SIGKILL")));
    removeFolder(clawsFile(workspace, "."));
    const second = await startDaemon(workspace);
    const receipt = await clawJson(workspace, ["publish", "note.new", "1"]);
    const before = namesIn(workspace);
    process.kill(first.pid, "SIGCONT");
    await until("the first to end", () => !isAlive(first.pid));
    expect(namesIn(workspace)).toEqual(before);
    expect(await clawJson(workspace, ["status"])).toMatchObject({ daemon: { pid: second.pid } });
    const { events } = await clawJson(workspace, ["events", "--topic", "note.*"]);
    expect(events).toMatchObject([{ topic: "note.new", sequence: receipt["sequence"] }]);
  });

  test("as soon as anything happens, when a folder above it was moved", async () => {
    const workspace = createWorkspace();
    const inner = { ...workspace, cwd: join(workspace.cwd, "project") };
    mkdirSync(inner.cwd);
    const { pid } = await startDaemon(inner);
    const moved = { ...workspace, cwd: join(workspace.cwd, "moved") };
    renameSync(inner.cwd, moved.cwd);
    stopAfterTest(moved);
    // Until the first has looked it keeps the folder; it may have been about to look anyway.
    const early = await clawJson(moved, ["up"]);
    expect(early.error ?? { code: "DAEMON_RUNNING", pid }).toMatchObject({ code: "DAEMON_RUNNING", pid });
    // A client that connects has it look.
    connect(clawsFile(moved, "claws.sock")).on("error", () => undefined);
    await until("it to end", () => !isAlive(pid));
    expect(existsSync(inner.cwd)).toBe(false);
    if (early.error !== undefined) await startDaemon(moved);
  });
});
