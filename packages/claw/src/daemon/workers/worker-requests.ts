import type { ReplyFields } from "claw-contract";
import { ClawError } from "claw-contract";
import type { BusHost, ConnectedPeer, RequestOutcome, RequestHandler } from "../../bus/index.ts";
import { error, handlePeers, ok } from "../../bus/index.ts";
import type { WorkerRegistry } from "../worker-registry/worker-registry.ts";
import type { SuperviseOptions } from "../supervision/supervise-options.ts";
import type { RemovedWorker } from "./remove-worker.ts";
import type { Workers } from "./workers.ts";

type Does = Pick<Workers, "spawn" | "restartWorker" | "previewRestart" | "remove">;

/** The result of the action, or an error with its code in the catalogue. */
async function outcomeOf<Reply extends object>(
  act: () => Reply | Promise<Reply>,
  report: (problem: string) => void,
): Promise<RequestOutcome<Reply>> {
  try {
    return ok(await act());
  } catch (cause) {
    if (cause instanceof ClawError) return error(cause.message, { code: cause.code, hint: cause.hint });
    report(`a worker was not started or removed: ${String(cause)}`);
    return error("the worker was not started or removed", { code: "WORKER_FAILED" });
  }
}

const nobody = (named: string): ClawError =>
  new ClawError("WORKER_NOT_FOUND", `there is no worker ${named.slice(0, 100)}`, {
    operation: "find_worker",
    target: named.slice(0, 100),
  });

/**
 * Checks that this daemon may start the worker. Refuses a machine when the daemon is in no cluster, and workers that ask
 * for another machine: a worker's rights hold in the folder of its machine.
 */
function requireHere(host: BusHost, peer: ConnectedPeer, on: string | null): void {
  const about = { operation: "spawn_worker", target: on ?? peer.id };
  const isAsked = on !== null && on !== "any" && on !== host.machine;
  if (peer.role === "worker" && (isAsked || !host.isHere(peer.id))) {
    throw new ClawError("PERMISSION_DENIED", "a worker starts others on its own machine alone", about);
  }
  if (host.machine !== undefined || on === null || on === "any") return;
  throw new ClawError("INVALID_FLAG_VALUE", "this daemon is in no cluster, so a worker runs on no other machine", {
    ...about,
    hint: "Leave out --on, or start the daemon in a cluster: claw up --bus nats://HOST",
  });
}

interface WorkerParts {
  readonly host: BusHost;
  readonly registry: WorkerRegistry;
  readonly options: SuperviseOptions;
}

/** Requests that start, restart and remove workers. */
export function workerRequests(workers: Does, { host, registry, options }: WorkerParts): readonly RequestHandler[] {
  const { report } = options;
  const answer = async <Reply extends object>(
    act: () => Reply | Promise<Reply>,
    done: (outcome: RequestOutcome<Reply>) => void,
  ): Promise<void> => done(await outcomeOf(act, report));
  return [
    handlePeers("worker.spawn", ({ peer, request }, done) => {
      const { on, ...asked } = request;
      void answer(async () => {
        requireHere(host, peer, on);
        const started = await workers.spawn(asked, peer);
        return host.machine === undefined ? started : { ...started, machine: host.machine };
      }, done);
    }),
    handlePeers("worker.restart", ({ request }, done) => {
      const { reason, dryRun } = request;
      const { peerId } = registry.find(request.peerId) ?? request;
      const restart = (): Promise<ReplyFields<"worker.restart">> =>
        workers.restartWorker({ peerId, reason, isAsked: true });
      void answer(() => (dryRun ? workers.previewRestart(peerId) : restart()), done);
    }),
    handlePeers("worker.remove", ({ peer, request }, done) => {
      const { worker: named, dryRun } = request;
      const worker = registry.find(named);
      const remove = async (): Promise<RemovedWorker> => {
        const known = worker === undefined ? undefined : registry.get(worker.peerId);
        if (known === undefined) throw nobody(named);
        return workers.remove({ worker: known, by: peer.id, dryRun });
      };
      // While the worker is being removed, no peer can judge the worker or remove it again.
      const taken = host.runInTurn(`judge ${worker?.peerId ?? named}`, (release) => {
        void answer(remove, (outcome) => {
          release();
          done(outcome);
        });
      });
      if (!taken) done(error("admission-control:backlog"));
    }),
  ];
}
