import { spawn } from "node:child_process";
import type { Socket } from "node:net";

/** Waits for the end of the demonstration. If that did not say that it is over, the program that ends it takes its place. */
const WAIT = `
trap '' HUP INT TERM
said=
while read -r word; do said=$word; done
[ "$said" = over ] || exec "$@"
`;

export interface DemoGuard {
  /** The demonstration has ended by itself, or is to be kept. */
  over(): void;
}

/**
 * Watches over this process, and runs a command when it is gone without a word: killed, it cannot take anything away
 * itself. The watching process has a session of its own and costs almost nothing.
 */
export function startGuard(command: readonly string[]): DemoGuard {
  const argv = ["-c", WAIT, "claw-demo-watch", ...command];
  const env = { PATH: process.env["PATH"] };
  const child = spawn("/bin/sh", argv, { cwd: "/", env, detached: true, stdio: ["pipe", "ignore", "ignore"] });
  child.on("error", () => undefined);
  child.unref();
  const pipe = child.stdin as Socket | null;
  pipe?.on("error", () => pipe.destroy());
  pipe?.unref();
  return { over: () => void pipe?.end("over\n") };
}
