import { randomUUID } from "node:crypto";
import type { JsonObject } from "claw-contract";
import { ClawError } from "claw-contract";
import type { BusSeat, McpChoices, Ports, SeatOptions } from "../../verbs/index.ts";
import { createSeat, daemonEnvironment, findDoor, serverMarkEnvironment } from "../../verbs/index.ts";
import type { Caller } from "../layer/caller.ts";
import type { OwnTasks } from "./waiting/ticket-tasks.ts";
import { createTicketTasks } from "./waiting/ticket-tasks.ts";
import type { WaitKeep } from "./waiting/wait-keep.ts";
import { createWaitKeep } from "./waiting/wait-keep.ts";
import { callPorts, callVerb } from "./call-verb.ts";
import { readOwnWorker, callerStanding } from "./surroundings.ts";

/** The ports of one call, with the connection's place on the bus. */
export interface ToolPorts extends Ports {
  readonly seat: BusSeat;
}

/** State of one connection: the caller, the place on the bus, the memory of older tools. */
export interface ToolHost {
  readonly choices: McpChoices;
  readonly caller: Caller;
  /** Whether the caller came with a token, and did not start this process. */
  readonly isGuest: boolean;
  readonly seat: BusSeat;
  /** The tasks of this caller. */
  readonly tasks: OwnTasks;
  /** What waiting remembers from call to call. */
  readonly keep: WaitKeep;
  /** What the tools of claws 0.8 remember of a connection. */
  readonly old: OldMemory;
  /** Does the work of a call with separate ports. */
  during<T>(signal: AbortSignal, work: (ports: ToolPorts) => Promise<T>): Promise<T>;
  /** Whether a daemon runs. Starts none. */
  isUp(): boolean;
  /** Masks secrets in what a client is shown. */
  shown(data: JsonObject): JsonObject;
  shownText(text: string): string;
  shownJson(json: string): string;
  /** Whether the JSON text of a list with these items can be shown as it is. False also when its looks do not tell. */
  isClean(json: string, items: readonly string[]): boolean;
  /** Leaves the bus. */
  close(): Promise<void>;
}

/** Older tools have calls that refer to earlier calls. */
export interface OldMemory {
  /** Where `claws_drain_events` begins; undefined before the first call that decides it. */
  from: string | undefined;
  /** Topics that were subscribed; without one, events on all topics are drained. */
  readonly topics: string[];
  /** Agent for further workers; null for whichever is installed. */
  bin: string | null;
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

/** Who a caller is, and how the bus lets it in. */
export interface Seating {
  readonly caller: Caller;
  readonly seat: SeatOptions;
}

/** The caller that started this process: what the process was started in decides the caller's rights. */
function ownSeating(choices: McpChoices, ports: Ports): Seating {
  const worker = readOwnWorker(serverMarkEnvironment(ports.env, process.ppid));
  const { role, seat } = callerStanding(worker, NAME, () => openDoor(choices, ports));
  return { caller: { id: randomUUID(), role }, seat };
}

interface HostOptions {
  /** A caller other than the one that started this process, such as the holder of a token over HTTP. */
  readonly seating?: Seating;
  readonly keep?: WaitKeep;
}

export function createToolHost(choices: McpChoices, ports: Ports, options: HostOptions = {}): ToolHost {
  const { redactor } = ports;
  const { keep = createWaitKeep() } = options;
  const { caller, seat: seated } = options.seating ?? ownSeating(choices, ports);
  const seat = createSeat(seated);
  return {
    choices,
    seat,
    caller,
    isGuest: options.seating !== undefined,
    keep,
    tasks: createTicketTasks({ seat, mask: (data) => redactor.redactValue(data), now: () => Date.now() }),
    old: { from: undefined, topics: [], bin: null },
    during: (signal, work) => work({ ...callPorts(ports, signal), seat }),
    isUp: () => caller.role === "worker" || isRunning(ports),
    shown: (data) => redactor.redactValue(data),
    shownText: (text) => redactor.redactText(text),
    shownJson: (json) => redactor.redactJson(json),
    isClean: (json, items) => redactor.looksClean(json, items),
    close: () => seat.close(),
  };
}
