import type { VerbInput, VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import { giveCommand } from "./give-command.ts";
import type { Ports } from "../../runtime/handle.ts";

type Stopped = NonNullable<VerbOutput<"abort">["workers"]>[number];
type Order = Pick<VerbInput<"abort">, "reason" | "wait">;

/**
 * Sends `abort` to all given workers at the same time. Returns for each worker the step its command reached, or the
 * failure.
 */
export async function abortWorkers(
  workers: readonly { readonly peer_id: string; readonly name: string }[],
  { reason, wait }: Order,
  ports: Ports,
): Promise<Stopped[]> {
  const stop = async ({ peer_id: id, name }: (typeof workers)[number]): Promise<Stopped> => {
    try {
      const { step } = await giveCommand({ id, action: "abort", data: { reason }, wait, dryRun: false }, ports);
      return { worker: id, name, step, failure: null };
    } catch (error) {
      ports.signal.throwIfAborted();
      if (!(error instanceof ClawError)) throw error;
      // A worker that ended by itself in the meantime counts as stopped.
      const failure = error.code === "WORKER_ENDED" ? null : { code: error.code, message: error.message };
      return { worker: id, name, step: null, failure };
    }
  };
  return Promise.all(workers.map(stop));
}
