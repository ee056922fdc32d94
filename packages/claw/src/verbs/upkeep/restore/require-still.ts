import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ClawError } from "claw-contract";
import { findDaemon, runningWorkers } from "../../../daemon/index.ts";
import { lockState, requireOwn, withFileErrors } from "../../../files/index.ts";
import { findHost, readAbout, storedTerminals } from "../../../terminals/index.ts";
import type { Ports } from "../../runtime/handle.ts";

const running = (code: "DAEMON_RUNNING" | "WORKER_RUNNING", message: string, target: string, hint: string): ClawError =>
  new ClawError(code, message, { operation: "restore", target, hint });

function requireNoDaemon(cwd: string): void {
  const daemon = findDaemon(cwd);
  if (daemon === undefined) return;
  const message = `process ${daemon.pid} is the daemon of this folder`;
  const hint =
    runningWorkers(cwd).length === 0
      ? "Stop the daemon first: claw down."
      : "Wait for the running workers, then stop the daemon: claw down. With --abort, it stops the workers too.";
  throw running("DAEMON_RUNNING", message, cwd, hint);
}

function requireNoWorkers(cwd: string): void {
  const names = runningWorkers(cwd).map(({ name }) => name);
  const claws = join(cwd, ".claws");
  const open =
    findHost(claws) === undefined ? [] : storedTerminals(claws).filter((id) => readAbout(claws, id)?.end === null);
  const goingOn = [...names, ...open.map((id) => `terminal ${id}`)];
  if (goingOn.length === 0) return;
  const hint = "Start the daemon with claw up, then stop them: claw down --abort, claw terminal close.";
  throw running("WORKER_RUNNING", `these still run here: ${goingOn.join(", ")}`, cwd, hint);
}

function requireNoWriter({ cwd, files }: Ports): void {
  const folder = join(cwd, ".claw", "sessions");
  const locks = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".lock")) : [];
  const held = locks.find((name) => lockState(files, join(folder, name)).kind === "held");
  if (held === undefined) return;
  throw new ClawError("SESSION_LOCKED", `a process writes to session '${held.replace(/\.lock$/, "")}'`, {
    operation: "restore",
    target: join(folder, held),
  });
}

/** Throws while a process still writes to the files that a restore would replace, and for folders that are not ours. */
export function requireStill(ports: Ports): void {
  const { cwd } = ports;
  for (const root of [".claw", ".claws", ".claw-restore"]) {
    const path = join(cwd, root);
    const stats = withFileErrors("open", path, () => lstatSync(path, { throwIfNoEntry: false }));
    if (stats !== undefined) requireOwn(path, stats, "folder");
  }
  requireNoDaemon(cwd);
  requireNoWorkers(cwd);
  requireNoWriter(ports);
}
