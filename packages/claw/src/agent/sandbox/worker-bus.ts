import { basename, dirname } from "node:path";
import { WORKER_VARIABLES } from "claw-contract";
import { secretsHome } from "../permissions/private-places.ts";
import { resolvePath } from "../permissions/resolve-path.ts";
import { isInside } from "../permissions/workspace.ts";

/** The socket of a worker. The socket admits only the tools of that worker. */
export interface WorkerBus {
  /** Absolute and free of links. */
  readonly socket: string;
  readonly token: string;
  readonly name: string;
}

export const BUS_SOCKET = "bus.sock";
/** Where commands in the sandbox find the folder of the socket. */
export const SHOWN_BUS = "/run/claw";

/** The worker's socket, from the variables that the daemon sets; undefined when the agent is not a worker's. */
export function readWorkerBus(env: Readonly<Record<string, string | undefined>>): WorkerBus | undefined {
  const { [WORKER_VARIABLES.bus]: path, [WORKER_VARIABLES.token]: token, [WORKER_VARIABLES.name]: name } = env;
  if (path === undefined || token === undefined || name === undefined) return undefined;
  const socket = resolvePath(path, { cwd: "/" });
  // No other socket than the daemon makes for workers is ever shown to commands.
  return basename(socket) === BUS_SOCKET && isInside(socket, secretsHome()) ? { socket, token, name } : undefined;
}

/** Shows the folder, not the socket itself, since a daemon that starts again replaces the socket. */
export const busView = (bus: WorkerBus | undefined): string[] =>
  bus === undefined ? [] : ["--ro-bind-try", dirname(bus.socket), SHOWN_BUS];

/** Variables by which `stream-events` and older clients find the bus. */
export const busVariables = ({ token, name }: WorkerBus, socket: string): Record<string, string> => ({
  CLAWS_SOCKET: socket,
  CLAWS_TOKEN: token,
  CLAWS_PEER_NAME: name,
});
