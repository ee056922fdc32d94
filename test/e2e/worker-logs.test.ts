import { expect, test } from "vitest";
import type { LiveCall } from "./daemon-process.ts";
import { beginClaw, connectWire, killHard, startDaemon } from "./daemon-process.ts";
import { clawJson, runClaw } from "./run-claw.ts";
import type { SceneWorker, WorkerScene } from "./worker-scene.ts";
import { openScene, sceneWorker } from "./worker-scene.ts";

const STREAM = ["--output-format", "stream-json"];

async function asking(scene: WorkerScene, ...flags: string[]): Promise<{ worker: SceneWorker; question: unknown }> {
  const worker = await scene.spawn("permission", "--name", "asker", ...flags);
  const [request] = await worker.until("its question", (found) => found.length > 0, "event");
  return { worker, question: request?.["request_id"] };
}

const follow = async (scene: WorkerScene, ...flags: string[]): Promise<LiveCall> => {
  const call = beginClaw(scene.workspace, ["logs", "--follow", "asker", ...flags]);
  await call.line("the first line", (line) => line.includes("start 1"));
  return call;
};

test("the log of a worker without a terminal is followed until it ends, also over the end of its daemon", async () => {
  const scene = await openScene();
  const { worker: before, question } = await asking(scene);
  const [text, stream] = await Promise.all([follow(scene), follow(scene, ...STREAM)]);
  await killHard(scene.daemon.pid);
  const { socket } = await startDaemon(scene.workspace);
  const client = await connectWire(socket);
  const orchestrator = await client.hello("orchestrator", { capabilities: ["receipts"] });
  const worker = sceneWorker({ workspace: scene.workspace, client, orchestrator }, before.id, before.pid);
  await worker.command("approve", { correlation_id: question });
  await worker.complete();
  const [shown, streamed] = await Promise.all([text.ended, stream.ended]);
  expect(shown).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(
      /start 1 [^]*\? asks for permission: Bash: rm -rf build\n! allowed\n[^]*The build is gone\.\n■ done [^]*own stream: /,
    ),
  });
  expect(streamed.exitCode).toBe(0);
  expect(JSON.parse(stream.lines.at(-1) ?? "")).toMatchObject({ worker_id: worker.id, terminal_id: null });
  const whole = await runClaw(scene.workspace, ["logs", "asker"]);
  expect(whole.stdout).toBe(shown.stdout);
});

test("a worker that crashed is followed into its next life", async () => {
  const scene = await openScene();
  const { worker } = await asking(scene, "--on-crash", "restart", "--restarts", "1");
  const call = await follow(scene);
  process.kill(worker.pid, "SIGKILL");
  await call.line("its next life", (line) => line.includes("start 2"));
  await worker.until("its return", (found) => found.length === 2, "boot");
  await worker.command("abort", { reason: "enough" });
  expect(await call.ended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("■ aborted: enough") });
});

test("whoever has seen enough leaves a worker's log, and the worker goes on", async () => {
  const scene = await openScene();
  const { worker, question } = await asking(scene);
  const call = await follow(scene, ...STREAM);
  process.kill(call.pid, "SIGINT");
  await call.ended;
  expect(JSON.parse(call.lines.at(-1) ?? "")).toMatchObject({ error: { code: "CANCELLED", signal: "SIGINT" } });
  await worker.command("approve", { correlation_id: question });
  expect(await worker.complete()).toMatchObject({ result: "ok" });
});

test("the log of a worker tells what its agent said and did, and why it failed; its bytes are there too", async () => {
  const scene = await openScene();
  const busy = await scene.spawn("tools", "--name", "busy");
  await busy.complete();
  const { stdout } = await runClaw(scene.workspace, ["logs", "busy"]);
  expect(stdout).toMatch(/^▶ start 1 .*\n> do something\n[^]*^● Bash: ls\n {2}└ README.md\n● Write: .*notes.md\n/m);
  expect(stdout).toMatch(/^Looked around and wrote notes.md.\n■ done \(2 tool calls/m);
  const raw = await runClaw(scene.workspace, ["logs", "busy", "--raw"]);
  const lines = raw.stdout.trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { type: unknown }).type)).toContain("assistant");
  const all = await clawJson(scene.workspace, ["logs", "busy"]);
  const rest = await clawJson(scene.workspace, ["logs", "busy", "--since-offset", String(all["next_offset"])]);
  expect(rest).toMatchObject({ text: "", next_offset: all["next_offset"], state: "finished" });
  const failed = await scene.spawn("auth-failure", "--name", "locked");
  await failed.until("its failure", (found) => found.some(({ state }) => state === "failed"), "system.worker.state");
  const why = await runClaw(scene.workspace, ["logs", "locked"]);
  expect(why.stdout).toMatch(/^■ failed: Invalid API key[^]*^state: failed \(Invalid API key/m);
  const { error } = await clawJson(scene.workspace, ["attach", "busy"]);
  expect(error).toMatchObject({ code: "TERMINAL_NOT_FOUND", hint: expect.stringContaining("claw logs --follow busy") });
});

test("a worker that was killed for good is said to be gone, and why", async () => {
  const scene = await openScene();
  const { worker } = await asking(scene, "--on-crash", "alert");
  process.kill(worker.pid, "SIGKILL");
  await worker.until("its end", (found) => found.some(({ state }) => state === "failed"), "system.worker.state");
  const { stdout, exitCode } = await runClaw(scene.workspace, ["logs", "asker", "--follow"]);
  expect(stdout).toMatch(/^■ its process is gone and did not say how it ended: .+\n[^]*^state: failed/m);
  expect(exitCode).toBe(0);
});

test("the log of a worker that another program runs is made from its events", async () => {
  const scene = await openScene();
  const sdk = await connectWire(scene.daemon.socket);
  const id = await sdk.hello("worker", { peerName: "outside" });
  const boot = { model: "m", role: "worker", mission_summary: "count", cwd: "/", terminal_id: "" };
  await sdk.publish(`worker.${id}.boot`, boot);
  const call = beginClaw(scene.workspace, ["logs", "outside", "--follow"]);
  await call.line("its boot", (line) => line === "is up: count (m)");
  await sdk.publish(`worker.${id}.event`, { kind: "LOG", severity: "info", message: "two of three" });
  await call.line("its words", (line) => line === "says: two of three");
  await sdk.publish(`worker.${id}.complete`, { result: "ok", summary: "three", artifacts: [], phases_completed: [] });
  expect(await call.ended).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/reports ok: three\n[^]*finished/),
  });
  const { text } = await clawJson(scene.workspace, ["logs", id]);
  expect(text).toMatch(/^is up: count \(m\)\nsays: two of three\nreports ok: three/);
});
