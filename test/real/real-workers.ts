import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Frame, WireClient } from "../e2e/daemon-process.ts";
import { connectWire, isAlive } from "../e2e/daemon-process.ts";
import { textOf } from "../e2e/provocations.ts";
import type { SceneWorker } from "../e2e/worker-scene.ts";
import { sceneWorker } from "../e2e/worker-scene.ts";
import { startClaw } from "./claw.ts";
import type { RealScene } from "./real-scene.ts";
import { processesIn } from "./real-scene.ts";

/** A daemon in a scene's folder, and an orchestrator that is connected to it. */
export interface RealDaemon {
  readonly client: WireClient;
  readonly orchestrator: string;
}

/** A call that goes well. */
export async function claw(scene: RealScene, ...args: string[]): Promise<Frame> {
  const { stdout, stderr, exitCode } = await startClaw(scene, [...args, "--output-format", "json"]).answer;
  expect([exitCode, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as Frame;
}

/** What people see of a call that goes well. */
export async function clawText(scene: RealScene, ...args: string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await startClaw(scene, args).answer;
  expect([exitCode, stderr]).toEqual([0, ""]);
  return stdout;
}

/** Nothing of the daemon, its terminals and agents is left after the test. */
export async function startDaemon(scene: RealScene): Promise<RealDaemon> {
  const file = (name: string): string => join(scene.cwd, ".claws", name);
  onTestFinished(async () => {
    await startClaw(scene, ["down"]).answer;
    const { pid } = JSON.parse(textOf(file("terminals.json")) ?? "{}") as { pid?: number };
    if (pid !== undefined && isAlive(pid)) {
      process.kill(pid, "SIGTERM");
      await until("the terminal host to end", () => !isAlive(pid));
    }
    for (const left of processesIn(scene).map(Number)) if (isAlive(left)) process.kill(left, "SIGKILL");
  });
  await claw(scene, "up");
  const { socket } = JSON.parse(readFileSync(file("daemon.json"), "utf8")) as { socket: string };
  const client = await connectWire(socket);
  return { client, orchestrator: await client.hello("orchestrator", { capabilities: ["receipts"] }) };
}

/** Starts a worker. One waits for its daemon for ever; after the test it does not. */
export async function spawnWorker(scene: RealScene, ...args: string[]): Promise<{ id: string; pid: number }> {
  const { peer_id, pid: process_id } = await claw(scene, "spawn", ...args);
  const [id, pid] = [String(peer_id), Number(process_id)];
  onTestFinished(() => {
    if (isAlive(pid) && textOf(`/proc/${pid}/cmdline`)?.includes(id)) process.kill(pid, "SIGKILL");
  });
  return { id, pid };
}

/** A headless worker in a scene, with a daemon of its own. */
export async function spawnHeadless(scene: RealScene, ...args: string[]): Promise<SceneWorker> {
  const { client, orchestrator } = await startDaemon(scene);
  const { id, pid } = await spawnWorker(scene, ...args);
  const workspace = { cwd: scene.cwd, home: String(scene.env["HOME"]) };
  return sceneWorker({ workspace, client, orchestrator }, id, pid);
}

/** Waits until `claw ps` says so of the only worker. */
export async function untilState(scene: RealScene, state: string): Promise<Frame> {
  const seen = new Set<string>();
  for (const deadline = Date.now() + 60_000; ;) {
    const [worker = {}] = (await claw(scene, "ps"))["workers"] as Frame[];
    seen.add(`${String(worker["state"])}: ${String(worker["reason"])}`);
    if (worker["state"] === state) return worker;
    if (Date.now() > deadline) throw new Error(`never ${state}, but ${[...seen].join("; ")}`);
  }
}

/** The process that a worker's process started: its agent. */
export const agentOf = (workerPid: number): Promise<number> =>
  until("an agent", () => {
    const children = (textOf(`/proc/${workerPid}/task/${workerPid}/children`) ?? "").trim().split(" ");
    // Beside it there is the shell that waits for the worker's own end.
    const agent = children.find(
      (pid) => pid !== "" && textOf(`/proc/${pid}/cmdline`)?.includes("claw-watch") === false,
    );
    return agent === undefined ? undefined : Number(agent);
  });
