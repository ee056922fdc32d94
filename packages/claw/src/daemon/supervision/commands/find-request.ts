import { hasLifeEnded, isLost } from "claw-contract";
import type { BusHost, RequestHandler } from "../../../bus/index.ts";
import { error, handlePeers, ok } from "../../../bus/index.ts";
import { endedHint } from "../../worker-registry/ended-worker.ts";
import type { WorkerRegistry } from "../../worker-registry/worker-registry.ts";
import { ownerOf } from "./agent-in.ts";

/** The newest worker that is connected under an id or a name, even before the log holds the worker's hello. */
function findConnected({ peers }: BusHost, id: string): { peerId: string; name: string } | undefined {
  const workers = [...peers.values()].filter(({ role }) => role === "worker");
  const found = workers.findLast((peer) => peer.id === id || peer.name === id);
  return found === undefined ? undefined : { peerId: found.id, name: found.name };
}

/** Number of commands that wait for a worker, and whether the worker's agent is at work. */
export interface CommandQueue {
  readonly busy: boolean;
  readonly ahead: number;
}

interface Finding {
  readonly host: BusHost;
  readonly registry: WorkerRegistry;
}

/**
 * The request `worker.find` finds a worker by its id or name, or else an open terminal. The terminal of an agent
 * stands for its worker, so a text for the terminal is typed as carefully as for any worker with an agent.
 */
export const findRequest = ({ host, registry }: Finding, lookAt: (peerId: string) => CommandQueue): RequestHandler =>
  handlePeers("worker.find", ({ request }, done) => {
    const id = request.target;
    const worker = registry.find(id) ?? ownerOf({ host, registry }, id);
    if (worker !== undefined) {
      const { peerId, name, terminalId } = worker;
      const { life } = worker;
      const ended = hasLifeEnded(life);
      // A worker that is about to be started anew takes a command when its next life is at work.
      const queue = lookAt(peerId);
      const busy = queue.busy || (isLost(life) && !ended);
      const hint = ended ? { hint: endedHint(registry, worker) } : {};
      return done(ok({ peer_id: peerId, name, ended, terminal_id: terminalId, ...queue, busy, ...hint }));
    }
    const joining = findConnected(host, id);
    if (joining !== undefined) {
      return done(ok({ peer_id: joining.peerId, name: joining.name, ended: false, terminal_id: null }));
    }
    if (host.terminals.open().includes(id)) return done(ok({ peer_id: null, name: id, terminal_id: id }));
    return done(error(`no worker or terminal is called ${id}`, { code: "WORKER_NOT_FOUND" }));
  });
