import { spawn } from "node:child_process";
import type { Socket } from "node:net";

/**
 * Shell script: waits until the demonstration's process ends. Unless the last word was `over`, runs the clean-up
 * program.
 */
const WAIT = `
trap '' HUP INT TERM
said=
while read -r word; do said=$word; done
[ "$said" = over ] || exec "$@"
`;

export interface DemoGuard {
  /** Says that the demonstration ended by itself, or is to be kept: the guard then ends without clean-up. */
  over(): void;
}

/**
 * Starts a guard process, which runs a clean-up command when this process ends without a call of `over`. A killed
 * process cannot clean up itself. The guard runs in a separate session and costs almost nothing.
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
