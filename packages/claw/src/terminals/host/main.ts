import { join, resolve } from "node:path";
import { appendToOwn, fileModes } from "../../files/index.ts";
import { HOST_LOG } from "../storage/host-record.ts";
import { loadPty } from "../pty/load-pty.ts";
import { runHost } from "./run-host.ts";

/** Appends to the log file that also receives the process's output. */
function logLine(folder: string, text: string): void {
  try {
    appendToOwn(join(folder, HOST_LOG), `${new Date().toISOString()} ${text}\n`);
  } catch {
    // A full disk takes no lines; the terminals run on without the log.
    return;
  }
}

/** `terminal-host FOLDER SOCKET`: owns the terminals of a workspace, in a process separate from the daemon. */
async function main([folder = "", socket = ""]: readonly string[]): Promise<void> {
  // Files of the host are private, regardless of the user's mask.
  fileModes.setMask(0o077);
  const place = resolve(folder);
  const report = (problem: string): void => logLine(place, problem);
  // Node would write warnings to the process's output and crash when that is not writable.
  process.removeAllListeners("warning");
  process.on("warning", (warning) => report(String(warning)));
  const stop = new AbortController();
  for (const name of ["SIGTERM", "SIGINT"] as const) process.on(name, () => stop.abort());
  // The host must survive the end of the terminal it was started from.
  process.on("SIGHUP", () => undefined);
  await runHost({ folder: place, socket: resolve(socket), pty: loadPty(), report }, stop.signal);
}

const [, , ...words] = process.argv;

main(words).then(
  () => process.exit(0),
  (error: unknown) => {
    logLine(resolve(words[0] ?? ""), String(error));
    process.exitCode = 1;
  },
);
