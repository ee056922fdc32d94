import { rmSync } from "node:fs";
import { findDaemon, stopDaemon } from "../../../daemon/index.ts";
import { stateFolder } from "../../../files/index.ts";
import { endMarked, joinSignals } from "../../../process/index.ts";
import { demoMark, demoProject } from "./demo-place.ts";
import type { DemoPlace } from "./demo-place.ts";

const END_MS = 5000;

/** Ends every process of a demonstration, and removes its folder and the secrets of its daemon. */
export async function removeDemo(root: string): Promise<void> {
  const { name, value } = demoMark(root);
  await endMarked(`${name}=${value}`, END_MS);
  rmSync(stateFolder(demoProject(root)), { recursive: true, force: true });
  rmSync(root, { recursive: true, force: true });
}

/** Removes a demonstration: stops the daemon, ends the workers and their child processes, deletes the folder. */
export async function endDemo({ root, folder, guard }: DemoPlace): Promise<void> {
  const daemon = findDaemon(folder);
  // A person who leaves early does not want to wait. `removeDemo` ends a daemon that does not stop in time.
  const limit = joinSignals({ timeoutMs: END_MS });
  if (daemon !== undefined) await stopDaemon(daemon, limit.signal).catch(() => undefined);
  limit.release();
  await removeDemo(root);
  guard.over();
}
