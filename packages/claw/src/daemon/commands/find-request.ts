import type { BusHost, RequestHandler } from "../../bus/index.ts";
import { error, handlePeers, ok } from "../../bus/index.ts";
import { endedHint } from "../fleet/ended-worker.ts";
import type { Fleet } from "../fleet/fleet.ts";
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
  readonly fleet: Fleet;
}

/**
 * The request `worker.find` finds a worker by its id or name, or else an open terminal. The terminal of an agent
 * stands for its worker, so a text for the terminal is typed as carefully as for any worker with an agent.
 */
export const findRequest = ({ host, fleet }: Finding, lookAt: (peerId: string) => CommandQueue): RequestHandler =>
  handlePeers("worker.find", ({ request }, done) => {
    const id = request.target;
    const worker = fleet.find(id) ?? ownerOf({ host, fleet }, id);
    if (worker !== undefined) {
      const { peerId, name, ended, terminalId } = worker;
      const hint = ended ? { hint: endedHint(fleet, worker) } : {};
      return done(ok({ peer_id: peerId, name, ended, terminal_id: terminalId, ...lookAt(peerId), ...hint }));
    }
    const joining = findConnected(host, id);
    if (joining !== undefined) {
      return done(ok({ peer_id: joining.peerId, name: joining.name, ended: false, terminal_id: null }));
    }
    if (host.terminals.open().includes(id)) return done(ok({ peer_id: null, name: id, terminal_id: id }));
    return done(error(`no worker or terminal is called ${id}`, { code: "WORKER_NOT_FOUND" }));
  });
