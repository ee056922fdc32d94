import { ClawError } from "@claw/contract";
import type { Command, CommandResult } from "../../bus/index.ts";
import { error, ok, peerCommand, textOf } from "../../bus/index.ts";
import type { Fleet } from "../fleet/fleet.ts";
import type { SuperviseOptions } from "../supervise-options.ts";
import type { SpawnedWorker } from "./launch-worker.ts";
import { readOrder } from "./worker-order.ts";
import type { Workers } from "./workers.ts";

type Does = Pick<Workers, "spawn" | "restartWorker">;

/** What was started, or the catalogue's name of what went wrong. */
async function resultOf(
  started: () => Promise<SpawnedWorker>,
  report: (problem: string) => void,
): Promise<CommandResult> {
  try {
    return ok({ ...(await started()) });
  } catch (cause) {
    if (cause instanceof ClawError) return error(cause.message, { code: cause.code });
    report(`a worker was not started: ${String(cause)}`);
    return error("the worker was not started", { code: "WORKER_FAILED" });
  }
}

/** How workers are started over the wire. */
export function workerCommands(
  workers: Does,
  fleet: Fleet,
  { cwd, report }: SuperviseOptions,
): Record<string, Command> {
  const answer = async (started: () => Promise<SpawnedWorker>, done: (result: CommandResult) => void): Promise<void> =>
    done(await resultOf(started, report));
  return {
    "worker.spawn": peerCommand(["orchestrator", "worker"], ({ peer, request }, done) => {
      void answer(async () => workers.spawn(readOrder(request, cwd), peer), done);
    }),
    "worker.restart": peerCommand(["orchestrator"], ({ request }, done) => {
      const named = textOf(request["peerId"]) ?? "";
      const { peerId } = fleet.find(named) ?? { peerId: named };
      void answer(() => workers.restartWorker(peerId, textOf(request["reason"]) ?? "asked to"), done);
    }),
  };
}
