import { join } from "node:path";
import type { JsonObject, VersionRange } from "claw-contract";
import { ClawError, commonVersion, LIMITS, rangeOf, VERSIONS, WORKER_FILES } from "claw-contract";
import { readJsonFile } from "../../files/index.ts";
import { findHost } from "../../terminals/index.ts";
import { workspaceFiles } from "../process/workspace-files.ts";
import { runningWorkers } from "./running-workers.ts";

function mismatch(target: string, message: string, hint: string): ClawError {
  return new ClawError("PROTOCOL_MISMATCH", `${message}. Nothing was changed`, {
    operation: "replace_daemon",
    target,
    hint,
  });
}

/** The version of a worker's job file, which its process speaks. Version 1 where no file says more. */
function jobVersion(path: string): number {
  const { version } = readJsonFile<JsonObject>(path, LIMITS.workerJobBytes) ?? {};
  return typeof version === "number" ? version : 1;
}

/** The ids of the folder's workers whose processes run, and the versions they speak. */
function spokenByWorkers(cwd: string): { name: string; version: number }[] {
  const folder = join(workspaceFiles(cwd).folder, "workers");
  return runningWorkers(cwd).map(({ name, peer_id: id }) => ({
    name,
    version: jobVersion(join(folder, id, WORKER_FILES.job)),
  }));
}

function requireWorkers(cwd: string, { oldest, newest }: VersionRange): void {
  const foreign = spokenByWorkers(cwd).filter(({ version }) => version < oldest || version > newest);
  if (foreign.length === 0) return;
  const names = foreign.map(({ name }) => name).join(", ");
  throw mismatch(
    names,
    `the running workers ${names} do not understand a daemon of this version`,
    `Wait for the workers, or stop them and start them again afterwards: claw abort, claw restart.`,
  );
}

function requireHost(cwd: string, versions: VersionRange): void {
  const host = findHost(workspaceFiles(cwd).folder);
  if (host === undefined || commonVersion(rangeOf(host.versions), versions) !== undefined) return;
  throw mismatch(
    `process ${host.pid}`,
    "the terminal host that runs does not understand a daemon of this version",
    "Close the terminals first: claw terminal list.",
  );
}

/**
 * Throws PROTOCOL_MISMATCH when a daemon of this version could not speak to the workers and terminals that run in a
 * folder.
 */
export function requireSpokenTo(cwd: string): void {
  requireWorkers(cwd, VERSIONS.worker);
  requireHost(cwd, VERSIONS.terminalHost);
}
