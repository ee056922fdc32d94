import { ClawError } from "claw-contract";
import { callVerb } from "../call-verb.ts";
import type { ToolHandler } from "../claws-tool.ts";

const REASON = "its lead is done";

/** Whether an abort came too late because the worker has ended meanwhile. */
const isOver = (error: unknown): boolean =>
  error instanceof ClawError && (error.code === "WORKER_ENDED" || error.code === "WORKER_NOT_FOUND");

/** Names running workers that the caller started. With `abort`, ends the workers and waits for their end. */
export const handleDone: ToolHandler<"claws_done"> = async ({ abort = false, summary }, { ports, host }) => {
  const { data } = await callVerb("ps", {}, ports);
  const self = host.seat.peerId();
  const own = data.workers.filter(({ parent_id: parent, ended }) => parent === self && self !== undefined && !ended);
  const aborted: string[] = [];
  for (const { peer_id: worker } of abort ? own : []) {
    try {
      await callVerb("abort", { worker, reason: summary ?? REASON }, ports);
      aborted.push(worker);
    } catch (error) {
      if (!isOver(error)) throw error;
    }
  }
  const running = abort ? [] : own.map(({ peer_id: id }) => id);
  return { data: { ok: running.length === 0, running, aborted } };
};
