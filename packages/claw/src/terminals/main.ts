import { join, resolve } from "node:path";
import { appendToOwn } from "../files/index.ts";
import { HOST_LOG } from "./host-record.ts";
import { loadPty } from "./load-pty.ts";
import { runHost } from "./run-host.ts";

/** Writes to the file that the process's output goes to as well. */
function logLine(folder: string, text: string): void {
  try {
    appendToOwn(join(folder, HOST_LOG), `${new Date().toISOString()} ${text}\n`);
  } catch {
    // A full disk takes no lines; the terminals go on without them.
    return;
  }
}

/** `terminal-host FOLDER SOCKET`: owns the terminals of a workspace, apart from its daemon. */
async function main([folder = "", socket = ""]: readonly string[]): Promise<void> {
  // Nothing of it is for others, whatever the user's files are.
  process.umask(0o077);
  const place = resolve(folder);
  const report = (problem: string): void => logLine(place, problem);
  // What Node itself has to say would end the process where its output cannot be written.
  process.removeAllListeners("warning");
  process.on("warning", (warning) => report(String(warning)));
  const stop = new AbortController();
  for (const name of ["SIGTERM", "SIGINT"] as const) process.on(name, () => stop.abort());
  // It belongs to no terminal whose end could end it.
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
