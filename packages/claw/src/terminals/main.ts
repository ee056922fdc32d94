import { resolve } from "node:path";
import { loadPty } from "./load-pty.ts";
import { runHost } from "./run-host.ts";

/** `terminal-host FOLDER SOCKET`: owns the terminals of a workspace, apart from its daemon. */
async function main([folder = "", socket = ""]: readonly string[]): Promise<void> {
  // Nothing of it is for others, whatever the user's files are.
  process.umask(0o077);
  // Its log may be on a full disk: what cannot be said there must not end the terminals.
  process.stderr.on("error", () => undefined);
  const stop = new AbortController();
  for (const name of ["SIGTERM", "SIGINT"] as const) process.on(name, () => stop.abort());
  // It belongs to no terminal whose end could end it.
  process.on("SIGHUP", () => undefined);
  const report = (problem: string): void => process.emitWarning(`${new Date().toISOString()} ${problem}`);
  await runHost({ folder: resolve(folder), socket: resolve(socket), pty: loadPty(), report }, stop.signal);
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    process.emitWarning(String(error));
    process.exitCode = 1;
  },
);
