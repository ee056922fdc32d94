import type { Orchestrator } from "claw-client";
import type { WorkerView } from "claw-contract";
import { ClawError, cutChars, oneLine } from "claw-contract";
import type { MomentApproval } from "./top-list.ts";
import type { TopQuestion } from "./top-state.ts";

type Bus = Pick<Orchestrator, "request" | "abort" | "pause" | "resume">;

const TEXT_CHARS = 60;
const short = (text: string): string => cutChars(oneLine(text), TEXT_CHARS, TEXT_CHARS - 1);

/** What went wrong, for the line below the list. */
export const failureText = (error: unknown): string =>
  error instanceof ClawError ? `${error.message}. ${error.hint}` : String(error);

/** Asks whether an approval is answered so. */
export function askAnswer(
  bus: Bus,
  { approvalId, message, worker }: MomentApproval,
  decision: "approve" | "reject",
  chosen?: string,
): TopQuestion {
  const how = chosen === undefined ? "" : ` with ${short(chosen)}`;
  const verb = decision === "approve" ? "Approve" : "Reject";
  return {
    text: `${verb}${how} what ${worker} asks: ${short(message)}?`,
    act: async () => {
      const option = chosen === undefined ? {} : { chosen };
      const { duplicate } = await bus.request("approval.answer", { approvalId, decision, ...option });
      return `${decision === "approve" ? "approved" : "rejected"}${duplicate ? " before" : ""}: ${short(message)}`;
    },
  };
}

export const askAccept = (bus: Bus, { peer_id: worker, name }: WorkerView): TopQuestion => ({
  text: `Accept what ${name} reported?`,
  act: async () => {
    const { noop } = await bus.request("worker.accept", { worker });
    return noop ? `${name} was accepted before` : `accepted ${name}; claw merge ${name} takes its work`;
  },
});

export const askAbort = (bus: Bus, { peer_id: id, name }: WorkerView): TopQuestion => ({
  text: `Abort ${name}? Its agent is ended.`,
  act: async () => {
    const { sequence } = await bus.abort(id, "aborted from claw top");
    return `abort of ${name}: stored as event ${sequence}`;
  },
});

/** Pauses a worker, or lets a paused worker go on. */
export async function pauseOrResume(bus: Bus, { peer_id: id, name, state }: WorkerView): Promise<string> {
  const isPaused = state === "paused";
  const { sequence } = isPaused ? await bus.resume(id) : await bus.pause(id);
  return `${isPaused ? "resume" : "pause"} of ${name}: stored as event ${sequence}`;
}
