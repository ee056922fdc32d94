import { setTimeout as delay } from "node:timers/promises";
import type { VerbInput } from "claw-contract";
import { ClawError, LIMITS } from "claw-contract";
import type { DaemonRecord } from "../../../daemon/index.ts";
import { findDaemon, spawnDaemon } from "../../../daemon/index.ts";
import type { Ports } from "../../runtime/handle.ts";
import { differences, givenFlags } from "./up-flags.ts";
import { flagsOf } from "./up-options.ts";

type Input = VerbInput<"up">;

function refuseSecond({ cwd }: Ports, { pid, socket }: DaemonRecord, different: readonly string[]): never {
  const names = different.length === 0 ? "" : ` and runs otherwise: ${different.join(", ")}`;
  throw new ClawError("DAEMON_RUNNING", `process ${pid} is the daemon of this folder${names}`, {
    operation: "start_daemon",
    target: cwd,
    details: { pid, socket, differences: [...different] },
  });
}

/** Throws DAEMON_RUNNING when a given flag differs from the running daemon, or when the call asks to be the daemon. */
export function requireSame(input: Input, ports: Ports, running: DaemonRecord): void {
  const different = differences(givenFlags(input, ports.cwd), running);
  if (input.foreground || different.length > 0) refuseSecond(ports, running, different);
}

const LOOK_MS = 50;

/** The daemon of another call that was quicker, once it lets clients in; undefined when there is none. */
async function quickerOne(error: unknown, { cwd, signal }: Ports): Promise<DaemonRecord | undefined> {
  if (!(error instanceof ClawError) || error.code !== "DAEMON_RUNNING" || error.target !== cwd) return undefined;
  for (const deadline = Date.now() + LIMITS.daemonStartMs; Date.now() < deadline; signal.throwIfAborted()) {
    const running = findDaemon(cwd);
    if (running !== undefined) return running;
    await delay(LOOK_MS);
  }
  return undefined;
}

/** Starts a daemon in the background, or finds the daemon of a call that was quicker. */
export async function startAway(input: Input, ports: Ports): Promise<{ record: DaemonRecord; isOwn: boolean }> {
  const argv = [...ports.program, ...flagsOf(input, ports.cwd)] as [string, ...string[]];
  try {
    return { record: await spawnDaemon({ cwd: ports.cwd, argv, env: ports.env }, ports.signal), isOwn: true };
  } catch (error) {
    const record = await quickerOne(error, ports);
    if (record === undefined) throw error;
    requireSame(input, ports, record);
    return { record, isOwn: false };
  }
}
