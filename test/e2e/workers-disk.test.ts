import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { mountSmallDisk } from "../reliability/small-disk.ts";
import { connectWire, isAlive, startDaemon } from "./daemon-process.ts";
import { refused, textOf } from "./provocations.ts";
import { clawJson } from "./run-claw.ts";
import { sceneWorker, workerFile } from "./worker-scene.ts";
import { createWorkspace } from "./workspace.ts";

/** Longer than what is left of a page of the log that was begun before the disk was full. */
const SAID = { text: "0123456789", repeat: 2000 };

/** Processes of workers in a folder, those included that wait to be let go on. */
const workersIn = (folder: string): string[] =>
  readdirSync("/proc").filter((pid) => textOf(`/proc/${pid}/cmdline`)?.includes(`${folder}/.claws/workers/`));

test("what a worker did while the disk was full is told once there is space, and not done again", async ({ skip }) => {
  const { cwd, home } = createWorkspace();
  const disk = mountSmallDisk(join(cwd, "disk"));
  if (typeof disk === "string") return skip(disk);
  const workspace = { cwd: disk.folder, home };
  const { socket } = await startDaemon(workspace);
  const client = await connectWire(socket);
  const orchestrator = await client.hello("orchestrator");
  const [go, scenario] = [join(home, "go"), join(home, "scenario.json")];
  const waits = { type: "tool", name: "Bash", input: {}, runs: `until [ -e ${go} ]; do sleep 0.05; done` };
  writeFileSync(scenario, JSON.stringify({ steps: [waits, { type: "text", ...SAID }] }));
  const spawn = ["spawn", "--harness", "fake", "--scenario", scenario, "--name", "one", "do it"];
  const { peer_id: id, pid } = await clawJson(workspace, spawn);
  const worker = sceneWorker({ workspace, client, orchestrator }, String(id), Number(pid));
  disk.fill();
  const another = ["spawn", "--harness", "fake", "--scenario", scenario, "--name", "two", "do it"];
  expect(await refused(workspace, another)).toMatchObject({ code: "DISK_FULL" });
  writeFileSync(go, "");
  const log = workerFile(workspace, worker.id, "worker.log");
  await until("the worker to be refused", () => textOf(log)?.includes("is said again until") === true);
  expect(isAlive(worker.pid)).toBe(true);
  disk.free();
  expect(await worker.complete()).toMatchObject({ result: "ok" });
  await until("its end", () => !isAlive(worker.pid));
  expect(worker.events("complete")).toHaveLength(1);
  expect(worker.events("system.worker.spawned")).toHaveLength(1);
  expect(worker.phases()).toEqual(["PLAN", "SPAWN", "DEPLOY", "OBSERVE", "HARVEST", "CLEANUP", "REFLECT"]);
  await until("nobody to wait for a start that failed", () => workersIn(workspace.cwd).length === 0);
  return undefined;
});
