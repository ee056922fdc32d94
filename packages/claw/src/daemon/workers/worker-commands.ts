import { ClawError } from "@claw/contract";
import type { Command, CommandResult } from "../../bus/index.ts";
import { error, ok, peerCommand, textOf } from "../../bus/index.ts";
import type { WorkerRegistry } from "../worker-registry/worker-registry.ts";
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

/** Requests that start, restart and remove workers. */
export function workerCommands(
  workers: Does,
  registry: WorkerRegistry,
  { cwd, report }: SuperviseOptions,
): Record<string, Command> {
  const answer = async (act: () => Promise<object>, done: (result: CommandResult) => void): Promise<void> =>
    done(await resultOf(act, report));
  return {
    "worker.spawn": peerCommand(["orchestrator", "worker"], ({ peer, request }, done) => {
      void answer(async () => workers.spawn(readOrder(request, cwd), peer), done);
    }),
    "worker.restart": peerCommand(["orchestrator"], ({ request }, done) => {
      const named = textOf(request["peerId"]) ?? "";
      const { peerId } = registry.find(named) ?? { peerId: named };
      const reason = textOf(request["reason"]) ?? "asked to";
      const restart = (): Promise<object> => workers.restartWorker({ peerId, reason, isAsked: true });
      void answer(async () => (request["dryRun"] === true ? workers.previewRestart(peerId) : restart()), done);
    }),
    "worker.remove": peerCommand(["orchestrator"], ({ context, peer, request }, done) => {
      const named = textOf(request["worker"]) ?? "";
      const worker = registry.find(named);
      const remove = async (): Promise<object> => {
        const known = worker === undefined ? undefined : registry.get(worker.peerId);
        if (known === undefined) throw nobody(named);
        return workers.remove({ worker: known, by: peer.id, dryRun: request["dryRun"] === true });
      };
      // While the worker is being removed, no peer can judge the worker or remove it again.
      const taken = context.serial.run(`judge ${worker?.peerId ?? named}`, (release) => {
        void answer(remove, (result) => {
          release();
          done(result);
        });
      });
      if (!taken) done(error("admission-control:backlog"));
    }),
  };
}
