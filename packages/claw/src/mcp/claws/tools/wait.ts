import { watchOutcome } from "../../../verbs/index.ts";
import { declaresTasks } from "../../layer/tasks/task.ts";
import type { ToolHandler } from "../claws-tool.ts";
import { openTask } from "../waiting/open-task.ts";
import { firstRound, nextRound } from "../waiting/wait-round.ts";
import { outcomeData } from "./outcome-data.ts";

/** Waits for workers: as a task where the client takes one, unless the wait is over already. */
export const handleWait: ToolHandler<"claws_wait"> = async (input, work) => {
  const { call, ports } = work;
  const { workers, cursor } = input;
  const asked = { tool: "claws_wait", input } as const;
  if (call.requestState !== null) return nextRound(call.requestState, asked, work);
  const mayOpen = declaresTasks(call) && call.caller.role !== "observer";
  const isTask = mayOpen && input.wait_seconds !== 0;
  if (!isTask) return firstRound({ workers, cursor, refused: [] }, asked, work);
  const now = await watchOutcome({ workers, cursor, waitMs: 0 }, ports);
  if (now.status === "done" || now.status === "failed") return { data: outcomeData(now) };
  return openTask({ workers: now.workers.map(({ peer_id: id }) => id), refused: [], started: false }, work);
};
