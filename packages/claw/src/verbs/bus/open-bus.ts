import type { ClientOptions, Observer, Orchestrator } from "claw-client";
import { ClawError, LIMITS } from "claw-contract";
import type { DaemonRecord } from "../../daemon/index.ts";
import { findDaemon } from "../../daemon/index.ts";
import { readSmallFile } from "../../files/index.ts";
import type * as BusClient from "./bus-client.ts";
import type { Ports } from "../runtime/handle.ts";

type Connect<Client> = (client: typeof BusClient) => (options: ClientOptions) => Client;

/** The daemon of the working folder. Throws DAEMON_NOT_RUNNING. */
export function requireDaemon({ cwd }: Ports): DaemonRecord {
  const daemon = findDaemon(cwd);
  if (daemon !== undefined) return daemon;
  throw new ClawError("DAEMON_NOT_RUNNING", `no daemon runs in ${cwd}`, { operation: "find_daemon", target: cwd });
}

/** The token that a daemon asks for. Each call of `bearer` reads the daemon's private file again. */
function bearerOf({ token: path }: DaemonRecord): { bearer?: () => string } {
  if (path === null) return {};
  const bearer = (): string => {
    const file = readSmallFile(path, LIMITS.settingsBytes);
    if (file.kind === "text") return file.text.trim();
    throw new ClawError("TOKEN_MISSING", `${path} holds no token`, {
      operation: "show_token",
      target: path,
      hint: "Restart the daemon, which writes a new token: claw down, then claw up as before.",
    });
  };
  return { bearer };
}

export interface Door {
  readonly socket: string;
  readonly bearer?: () => string;
}

/** Where the daemon of the working folder is reached. Throws DAEMON_NOT_RUNNING. */
export function findDoor(ports: Ports): Door {
  const daemon = requireDaemon(ports);
  return { socket: daemon.socket, ...bearerOf(daemon) };
}

/** A door at a given socket. The door has a token when the socket belongs to the daemon of the working folder. */
export function doorAt(socket: string, { cwd }: Ports): Door {
  const daemon = findDaemon(cwd);
  return { socket, ...(daemon?.socket === socket ? bearerOf(daemon) : {}) };
}

/** Joins the bus in the role that `connect` gives. Resolves once the peer has joined; the caller closes the client. */
export async function joinAsOrchestrator<Client extends Pick<Observer, "ready">>(
  { socket, ...door }: Door & Partial<Pick<ClientOptions, "name" | "monitors" | "capabilities">>,
  { signal }: Ports,
  connect: Connect<Client>,
): Promise<Client> {
  const client = await import("./bus-client.ts");
  const bus = connect(client)({ channel: client.unixChannel(socket), name: "claw", attempts: 1, signal, ...door });
  await bus.ready();
  return bus;
}

/** Capabilities of a peer that only reads: its coming and going are sent as notices and are not stored in the log. */
export const READER = ["transient"] as const;

/** Joins the bus to watch, or takes the seat that the caller already has. The caller closes the client. */
export const openObserver = (ports: Ports): Promise<Observer> =>
  ports.seat?.join(ports.signal) ??
  joinAsOrchestrator({ ...findDoor(ports), capabilities: READER }, ports, ({ connectObserver }) => connectObserver);

/** Joins the bus to direct workers, or takes the seat that the caller already has. The caller closes the client. */
export const openOrchestrator = (ports: Ports): Promise<Orchestrator> =>
  ports.seat?.join(ports.signal) ??
  joinAsOrchestrator(findDoor(ports), ports, ({ connectOrchestrator }) => connectOrchestrator);
