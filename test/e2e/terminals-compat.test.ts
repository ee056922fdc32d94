import { mkdirSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Frame } from "./daemon-process.ts";
import { beginClaw, connectWire, killHard, readLog, startDaemon } from "./daemon-process.ts";
import { textOf } from "./provocations.ts";
import { runClaw } from "./run-claw.ts";
import { askTerminal, endHostAfterTest, hostOf, printed } from "./terminal-wire.ts";
import { createWorkspace } from "./workspace.ts";

/** Connects, says one thing, and takes the first line that comes for the answer, as the scripts of old do. */
const oneShot = (path: string, body: Frame): Promise<Frame> =>
  new Promise((resolve, reject) => {
    const socket = connect(path, () => socket.write(`${JSON.stringify(body)}\n`));
    let text = "";
    socket.on("error", reject);
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const [line, rest] = text.split("\n", 2);
      if (rest === undefined) return;
      socket.destroy();
      resolve(JSON.parse(line ?? "") as Frame);
    });
  });

test("clients that say one thing a connection run commands by way of files", async () => {
  const workspace = createWorkspace();
  const { socket } = await startDaemon(workspace, "--policy", "compat");
  endHostAfterTest(workspace);
  const say = (body: Frame): Promise<Frame> => oneShot(socket, body);
  const create = { id: 1, cmd: "create", name: "sh", wrapped: true, shellPath: "/bin/bash", show: true };
  expect(await say(create)).toMatchObject({ ok: false, error: "lifecycle:plan-required" });
  const plan = { id: 1, cmd: "lifecycle.plan", plan: "try it", workerMode: "single", expectedWorkers: 1 };
  expect(await say(plan)).toMatchObject({ ok: true, state: { phase: "PLAN" } });
  expect(await say(create)).toMatchObject({ rid: 1, id: "1", ok: true, wrapped: true, logPath: null });
  expect(await say({ id: 2, cmd: "list" })).toMatchObject({
    rid: 2,
    terminals: [
      { id: "1", name: "sh", wrapped: true, ptyMode: "pty", status: "adopted", active: false, logPath: null },
    ],
  });
  const out = join(workspace.home, "1.out");
  const text = `{ echo a-b | tr - +; false; } > ${out} 2>&1; echo $? > ${out}.done`;
  expect(await say({ cmd: "send", id: "1", text, newline: true })).toMatchObject({ ok: true, mode: "wrapped" });
  await until("the command to be done", () => textOf(`${out}.done`)?.endsWith("\n"));
  expect([textOf(out), textOf(`${out}.done`)]).toEqual(["a+b\n", "1\n"]);
  const page = await say({ cmd: "readLog", id: "1", limit: 65_536 });
  expect(page).toMatchObject({ ok: true, bytes: expect.stringContaining("tr - +") as string, truncated: false });
  expect(String(page["bytes"])).not.toContain("\u001b");
  await expect
    .poll(() => say({ id: 3, cmd: "poll", since: 0 }), { timeout: 110_000 })
    .toMatchObject({ ok: true, events: [{ commandLine: text }] });
  expect(await say({ cmd: "close", id: "1" })).toMatchObject({ ok: true, alreadyClosed: false });
  expect(await say({ cmd: "close", id: "1" })).toMatchObject({ ok: true, alreadyClosed: true });
});

test("the older way to start a worker is followed from its terminal to its closing", async () => {
  const workspace = createWorkspace();
  const { socket } = await startDaemon(workspace, "--policy", "compat");
  endHostAfterTest(workspace);
  const say = (body: Frame): Promise<Frame> => oneShot(socket, { id: 1, ...body });
  const mcp = await connectWire(socket);
  await mcp.hello("orchestrator", { peerName: "mcp-orchestrator" });
  for (const topic of ["system.worker.terminated", "system.terminal.ready", "vehicle.+.content"]) {
    expect(await mcp.ask({ cmd: "subscribe", topic })).toMatchObject({ ok: true });
  }
  await say({ cmd: "lifecycle.plan", plan: "try it", workerMode: "single", expectedWorkers: 1 });
  const { id } = await say({ cmd: "create", name: "w", wrapped: true, correlation_id: "c1", shellPath: "/bin/bash" });
  const worker = { terminalId: id, correlationId: "c1" };
  expect(await say({ cmd: "lifecycle.register-spawn", ...worker, name: "w" })).toMatchObject({ ok: true });
  expect(await say({ cmd: "lifecycle.register-monitor", ...worker, command: "watch" })).toMatchObject({ ok: true });
  const messages = (topic: string): Frame[] => mcp.messages().filter((message) => message["topic"] === topic);
  await until("its terminal to be ready", () => messages("system.terminal.ready").length > 0);
  expect(messages("system.terminal.ready")).toMatchObject([{ payload: { terminal_id: id, correlation_id: "c1" } }]);
  await say({
    cmd: "send",
    id,
    text: "echo $CLAWS_TERMINAL_ID-$CLAWS_TERMINAL_CORR_ID-$CLAWS_WRAPPED",
    newline: false,
  });
  await say({ cmd: "send", id, text: "", newline: true });
  await printed(mcp, String(id), "1-c1-1");
  await say({ cmd: "close", id, close_origin: "marker" });
  await until("its end", () => messages("system.worker.terminated").length > 0);
  expect(messages("system.worker.terminated")).toMatchObject([{ payload: { terminal_id: id, correlation_id: "c1" } }]);
  expect(await say({ cmd: "lifecycle.snapshot" })).toMatchObject({
    state: { workers: [{ id, closed: true }], monitors: [] },
  });
  expect(readLog(workspace).find(({ topic }) => topic === "system.terminal.closed")).toMatchObject({
    payload: { terminal_id: id, close_origin: "marker", correlation_id: "c1" },
  });
});

test("a folder too deep for sockets has its terminals beside the socket that was named", async () => {
  const { cwd, home } = createWorkspace();
  const workspace = { cwd: join(cwd, "deep".repeat(25)), home };
  mkdirSync(workspace.cwd);
  const path = join(home, "c.sock");
  const daemon = await startDaemon(workspace, "--socket", path);
  endHostAfterTest(workspace);
  const client = await connectWire(daemon.socket);
  expect(await client.ask({ cmd: "create", argv: ["/bin/sh", "-c", "echo one; read x; echo two"] })).toMatchObject({
    ok: true,
  });
  expect(statSync(`${path}.terminals`).mode & 0o777).toBe(0o600);
  const host = hostOf(workspace);
  await killHard(daemon.pid);
  const back = await connectWire((await startDaemon(workspace, "--socket", path)).socket);
  const call = beginClaw(workspace, ["logs", "1", "--follow"]);
  await call.line("what it printed", (line) => line === "one");
  await askTerminal(back, "1", { cmd: "send", text: "go" });
  expect(await call.ended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("two") as string });
  expect(hostOf(workspace)).toBe(host);
  expect((await runClaw(workspace, ["logs", "1"])).stdout).toContain("two");
});
