import { randomBytes } from "node:crypto";
import { whileAway } from "../../../verbs/index.ts";
import type { ToolTask } from "../../layer/tool.ts";
import type { ToolWork } from "../claws-tool.ts";
import type { RefusedStart } from "../tools/outcome-data.ts";

const HANDLE_BYTES = 32;

/** How long the opening of a task waits for a daemon that went away meanwhile. */
const OPEN_AWAY_MS = 10_000;

export interface TaskAsked {
  readonly workers: readonly string[];
  /** Whether the workers were started for this task; a cancelled task then aborts them. */
  readonly started: boolean;
  readonly refused: readonly RefusedStart[];
}

/** Opens a task over workers. The task is in the log before this resolves; its id is random and is this caller's alone. */
export async function openTask(asked: TaskAsked, { host, call }: ToolWork): Promise<ToolTask> {
  const { signal } = call;
  const handle = randomBytes(HANDLE_BYTES).toString("base64url");
  const deadlineMs = Date.now() + OPEN_AWAY_MS;
  const { workers, refused, started } = asked;
  const request = { handle, workers: [...workers], refused: [...refused], started };
  const view = await whileAway({ signal, deadlineMs: () => deadlineMs }, async () => {
    const bus = await host.seat.join(signal);
    try {
      return await bus.request("ticket.open", request);
    } finally {
      await bus.close();
    }
  });
  const { inputRequests: _asked, result: _result, ...created } = host.tasks.opened(handle, view, call);
  return { kind: "task", task: { ...created } };
}
