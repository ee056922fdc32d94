import { ClawError } from "@claw/contract";
import type { BusHost, CommandResult, PeerHandler } from "../../bus/index.ts";
import { error, handlePeers, ok, textOf } from "../../bus/index.ts";
import type { Fleet } from "../fleet/fleet.ts";
import type { SuperviseOptions } from "../supervise-options.ts";
import { readOrder } from "./worker-order.ts";
import type { Workers } from "./workers.ts";

type Does = Pick<Workers, "spawn" | "restartWorker" | "previewRestart" | "remove">;

/** The result of the action, or an error with its code in the catalogue. */
async function resultOf(act: () => Promise<object>, report: (problem: string) => void): Promise<CommandResult> {
  try {
    return ok({ ...(await act()) });
  } catch (cause) {
    if (cause instanceof ClawError) return error(cause.message, { code: cause.code, hint: cause.hint });
    report(`a worker was not started or removed: ${String(cause)}`);
    return error("the worker was not started or removed", { code: "WORKER_FAILED" });
  }
}

const nobody = (named: string): ClawError =>
  new ClawError("WORKER_NOT_FOUND", `nobody works here as ${named.slice(0, 100)}`, {
    operation: "find_worker",
    target: named.slice(0, 100),
  });

interface WorkerParts {
  readonly host: BusHost;
  readonly fleet: Fleet;
  readonly options: SuperviseOptions;
}

/** Requests that start, restart and remove workers. */
export function workerCommands(workers: Does, { host, fleet, options }: WorkerParts): Record<string, PeerHandler> {
  const { cwd, report } = options;
  const answer = async (act: () => Promise<object>, done: (result: CommandResult) => void): Promise<void> =>
    done(await resultOf(act, report));
  return {
    "worker.spawn": handlePeers(["orchestrator", "worker"], ({ peer, request }, done) => {
      void answer(async () => workers.spawn(readOrder(request, cwd), peer), done);
    }),
    "worker.restart": handlePeers(["orchestrator"], ({ request }, done) => {
      const named = textOf(request["peerId"]) ?? "";
      const { peerId } = fleet.find(named) ?? { peerId: named };
      const reason = textOf(request["reason"]) ?? "asked to";
      const restart = (): Promise<object> => workers.restartWorker({ peerId, reason, isAsked: true });
      void answer(async () => (request["dryRun"] === true ? workers.previewRestart(peerId) : restart()), done);
    }),
    "worker.remove": handlePeers(["orchestrator"], ({ peer, request }, done) => {
      const named = textOf(request["worker"]) ?? "";
      const worker = fleet.find(named);
      const remove = async (): Promise<object> => {
        const known = worker === undefined ? undefined : fleet.get(worker.peerId);
        if (known === undefined) throw nobody(named);
        return workers.remove({ worker: known, by: peer.id, dryRun: request["dryRun"] === true });
      };
      // While the worker is being removed, no peer can judge the worker or remove it again.
      const taken = host.runInTurn(`judge ${worker?.peerId ?? named}`, (release) => {
        void answer(remove, (result) => {
          release();
          done(result);
        });
      });
      if (!taken) done(error("admission-control:backlog"));
    }),
  };
}
