import { randomUUID } from "node:crypto";
import type { JsonObject } from "claw-contract";
import { ClawError } from "claw-contract";
import type { BusSeat, McpChoices, Ports } from "../../verbs/index.ts";
import { createSeat, daemonEnvironment, findDoor, markedEnvironment } from "../../verbs/index.ts";
import type { Caller } from "../layer/caller.ts";
import { callPorts, callVerb } from "./call-verb.ts";
import { readOwnWorker, standingOf } from "./surroundings.ts";

/** The ports of one call, with the connection's place on the bus. */
export interface ToolPorts extends Ports {
  readonly seat: BusSeat;
}

/** What one connection keeps between its calls: its place on the bus, and who it is. */
export interface ToolHost {
  readonly choices: McpChoices;
  readonly caller: Caller;
  readonly seat: BusSeat;
  /** Does the work of one call with ports of its own. */
  during<T>(signal: AbortSignal, work: (ports: ToolPorts) => Promise<T>): Promise<T>;
  /** Whether a daemon runs. Starts none. */
  isUp(): boolean;
  /** Masks secrets in what a client is shown. */
  shown(data: JsonObject): JsonObject;
  shownText(text: string): string;
  /** Leaves the bus. */
  close(): Promise<void>;
}

const NAME = "mcp";

/** Where the bus is. With `start`, starts the daemon that is missing. */
async function openDoor({ start }: McpChoices, ports: Ports): Promise<ReturnType<typeof findDoor>> {
  try {
    return findDoor(ports);
  } catch (error) {
    if (!start || !(error instanceof ClawError) || error.code !== "DAEMON_NOT_RUNNING") throw error;
    const env = daemonEnvironment(ports.cwd, ports.env);
    await callVerb("up", {}, { ...callPorts(ports, ports.signal), env });
    return findDoor(ports);
  }
}

function isRunning(ports: Ports): boolean {
  try {
    findDoor(ports);
    return true;
  } catch (error) {
    if (error instanceof ClawError && error.code === "DAEMON_NOT_RUNNING") return false;
    throw error;
  }
}

export function createToolHost(choices: McpChoices, ports: Ports): ToolHost {
  const { redactor } = ports;
  const worker = readOwnWorker(markedEnvironment(ports.env, process.ppid));
  const standing = standingOf(worker, NAME, () => openDoor(choices, ports));
  const seat = createSeat(standing.seat);
  return {
    choices,
    seat,
    caller: { id: randomUUID(), role: standing.role },
    during: (signal, work) => work({ ...callPorts(ports, signal), seat }),
    isUp: () => standing.role === "worker" || isRunning(ports),
    shown: (data) => redactor.redactValue(data),
    shownText: (text) => redactor.redactText(text),
    close: () => seat.close(),
  };
}
