import type { Observer, Orchestrator } from "@claw/client";
import { ClawError, LIMITS } from "@claw/contract";
import type { DaemonRecord } from "../daemon/index.ts";
import { findDaemon } from "../daemon/index.ts";
import { readSmallFile } from "../files/index.ts";
import type { Ports } from "./handle.ts";

/** The daemon of the working folder. Throws DAEMON_NOT_RUNNING. */
export function requireDaemon({ cwd }: Ports): DaemonRecord {
  const daemon = findDaemon(cwd);
  if (daemon !== undefined) return daemon;
  throw new ClawError("DAEMON_NOT_RUNNING", `no daemon runs in ${cwd}`, { operation: "find_daemon", target: cwd });
}

/** The token a daemon asks for, from the private file it names. */
function bearerOf({ token }: DaemonRecord): { bearer?: string } {
  const file = token === null ? undefined : readSmallFile(token, LIMITS.settingsBytes);
  return file?.kind === "text" ? { bearer: file.text.trim() } : {};
}

/** Joins the bus to watch. The caller closes it. */
export async function openObserver(ports: Ports): Promise<Observer> {
  const daemon = requireDaemon(ports);
  const { connectObserver, unixChannel } = await import("./bus-client.ts");
  const bus = connectObserver({ channel: unixChannel(daemon.socket), ...common(ports), ...bearerOf(daemon) });
  await bus.ready();
  return bus;
}

/** Joins the bus to direct. The caller closes it. */
export async function openOrchestrator(ports: Ports): Promise<Orchestrator> {
  const daemon = requireDaemon(ports);
  const { connectOrchestrator, unixChannel } = await import("./bus-client.ts");
  const bus = connectOrchestrator({ channel: unixChannel(daemon.socket), ...common(ports), ...bearerOf(daemon) });
  await bus.ready();
  return bus;
}

const common = ({ signal }: Ports) => ({ name: "claw", attempts: 1, signal });
