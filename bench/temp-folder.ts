import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, statfsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;
const REMOVE = "fs.rmSync(process.argv[1], { recursive: true, force: true })";

/** Removes a folder from a process of its own: whoever interrupts a run may not wait until a large folder is gone. */
function removeApart(folder: string): void {
  spawn(process.execPath, ["-e", REMOVE, folder], { detached: true, stdio: "ignore" }).unref();
}

/** Lends an empty folder. It is gone afterwards, or soon after an interrupted run. */
export async function withTempFolder<T>(use: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "claw-bench-")));
  const leave = (): void => removeApart(folder);
  process.on("exit", leave);
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    process.off("exit", leave);
  }
}

/** Makes an interrupted run leave through `exit`, where folders are removed. */
export function exitOnSignals(): void {
  for (const [signal, exitCode] of Object.entries(SIGNALS)) process.on(signal, () => process.exit(exitCode));
}

const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`;

/** Throws when the disk of a folder has less than this many bytes free. */
export function requireDisk(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free >= bytes) return;
  throw new Error(`${folder} needs ${inMegabytes(bytes)} free, has ${inMegabytes(free)}; TMPDIR names another disk`);
}
