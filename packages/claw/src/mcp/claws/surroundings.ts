import type { Environment } from "claw-contract";
import { WORKER_VARIABLES } from "claw-contract";
import type { SeatOptions } from "../../verbs/index.ts";
import type { CallerRole } from "../layer/caller.ts";

/** The worker in which a server was started, and where that worker's own socket is. */
export interface OwnWorker {
  readonly id: string;
  readonly name: string;
  /** Null when the environment does not say where the socket is. */
  readonly door: { readonly socket: string; readonly token: string } | null;
}

const VARIABLES = {
  ...WORKER_VARIABLES,
  /** In the sandbox of claw's own agent, the socket stands at another path. */
  shownSocket: "CLAWS_SOCKET",
  shownToken: "CLAWS_TOKEN",
} as const;

/** The worker that the environment names; undefined outside of workers. */
export function readOwnWorker(env: Environment): OwnWorker | undefined {
  const id = env[VARIABLES.id];
  if (id === undefined || id === "") return undefined;
  const name = env[VARIABLES.name] ?? env["CLAWS_PEER_NAME"] ?? id;
  const isSandboxed = env[VARIABLES.shownToken] !== undefined;
  const socket = env[isSandboxed ? VARIABLES.shownSocket : VARIABLES.bus];
  const token = env[isSandboxed ? VARIABLES.shownToken : VARIABLES.token];
  return { id, name, door: socket === undefined || token === undefined ? null : { socket, token } };
}

export interface Standing {
  readonly role: CallerRole;
  readonly seat: SeatOptions;
}

/**
 * Rights of the server. Outside of workers it is an orchestrator. In a worker it joins at the worker's own socket, with
 * the worker's token, and speaks for the worker; without that socket it only watches.
 */
export function callerStanding(worker: OwnWorker | undefined, name: string, door: SeatOptions["door"]): Standing {
  if (worker === undefined) return { role: "orchestrator", seat: { name, role: "orchestrator", door } };
  if (worker.door === null) return { role: "observer", seat: { name, role: "observer", door } };
  const { socket, token } = worker.door;
  return {
    role: "worker",
    seat: { name: worker.name, role: "worker", speaksFor: worker.id, door: () => ({ socket, bearer: () => token }) },
  };
}
