import type { Worker } from "claw-client";
import { connectOrchestrator, connectWorker } from "claw-client";
import { unixChannel } from "claw-client/node";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { startDaemon } from "./daemon-process.ts";
import { clawJson, runClaw } from "./run-claw.ts";
import { createWorkspace } from "./workspace.ts";

const WAY = ["SPAWN", "DEPLOY", "OBSERVE", "HARVEST", "CLEANUP", "REFLECT"] as const;
const BOOT = { model: "m", mission_summary: "x", cwd: "/", terminal_id: "" };

async function reflect(worker: Worker): Promise<void> {
  for (const phase of WAY) await worker.phase(phase, "next");
}

test.each<[how: string, end: (worker: Worker) => Promise<unknown>, state: string, waitCode: string | undefined]>([
  ["complete", (worker) => worker.complete({ summary: "done" }), "finished", undefined],
  ["a fatal event", (worker) => worker.fatal("boom"), "failed", "WORKER_FAILED"],
  ["FAILED", (worker) => worker.phase("FAILED", "lost"), "failed", "WORKER_FAILED"],
  ["REFLECT", reflect, "gone", "WORKER_FAILED"],
])("every verb agrees that a worker that came by itself ended by %s", async (_how, end, state, waitCode) => {
  const workspace = createWorkspace();
  const { socket } = await startDaemon(workspace);
  const channel = unixChannel(socket);
  const bus = connectOrchestrator({ channel, name: "main" });
  onTestFinished(() => bus.close());
  const seen = bus.workers();
  const worker = connectWorker({ channel, name: "guest" });
  onTestFinished(() => worker.close());
  await worker.boot(BOOT);
  await worker.phase("PLAN", "begin");
  await worker.event("REQUEST", "which?", { request_id: "r1" });
  await end(worker);
  await until("the SDK to say how it ended", () => seen.list().some((each) => each.state === state));
  expect((await clawJson(workspace, ["ps", "--all"]))["workers"]).toMatchObject([{ name: "guest", state }]);
  expect((await clawJson(workspace, ["send", "guest", "go on"])).error?.code).toBe("WORKER_ENDED");
  expect((await clawJson(workspace, ["wait", "guest"])).error?.code).toBe(waitCode);
  expect((await clawJson(workspace, ["approvals"]))["approvals"]).toEqual([]);
  expect((await runClaw(workspace, ["logs", "--follow", "guest"])).exitCode).toBe(0);
  const again = ["spawn", "--harness", "fake", "--scenario", "text", "--name", "guest", "--wait", "complete", "x"];
  expect(await clawJson(workspace, again)).toMatchObject({ name: "guest", state: "finished" });
});
