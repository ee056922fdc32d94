import { expect, test } from "vitest";
import type { LiveCall } from "./daemon-process.ts";
import { beginClaw, connectWire, killHard, startDaemon } from "./daemon-process.ts";
import { runClaw } from "./run-claw.ts";
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
    stdout: expect.stringMatching(/start 1\n[^]*ends with 0\n[^]*own stream: /),
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
  expect(await call.ended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("ends with") });
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
