import { randomUUID } from "node:crypto";
import type { ToolInput } from "claw-contract";
import { ClawError } from "claw-contract";
import { spawnOnce, whileAway } from "../../../verbs/index.ts";
import { declaresTasks } from "../../layer/tasks/task.ts";
import { withDefaults } from "../call-verb.ts";
import type { ToolHandler, ToolWork } from "../claws-tool.ts";
import { openTask } from "../waiting/open-task.ts";
import { firstRound, nextRound } from "../waiting/wait-round.ts";
import type { RefusedStart } from "./outcome-data.ts";

/** How long a call waits for a daemon that went away meanwhile. */
const AWAY_MS = 20_000;

type Input = ToolInput<"claws_run">;
type Asked = NonNullable<Input["workers"]>[number];

/** The workers that a call asks for: `mission` alone is one. */
function askedWorkers({ mission, name, workers }: Input): readonly Asked[] {
  if (workers !== undefined) return workers;
  if (mission !== undefined) return [{ mission, name }];
  throw new ClawError("MISSING_PROMPT", "there is nothing to do", {
    operation: "run",
    target: "mission",
    hint: "Give mission for one worker, or workers for several.",
  });
}

async function start(asked: Asked, shared: Input, { ports, host }: ToolWork, key: string): Promise<string> {
  const input = withDefaults("spawn", {
    mission: asked.mission,
    name: asked.name,
    harness: asked.harness ?? shared.harness ?? "auto",
    model: asked.model ?? shared.model,
    worktree: shared.worktree ?? false,
    check: asked.checks ?? shared.checks,
    budgetUsd: asked.budget_usd ?? shared.budget_usd,
    permissionMode: shared.permission_mode,
    on: asked.on ?? shared.on,
    wait: "none",
    parent: host.seat.peerId(),
  });
  const { peerId } = await spawnOnce(input, key, ports);
  return peerId;
}

interface Started {
  readonly workers: readonly string[];
  readonly refused: readonly RefusedStart[];
}

/** Starts workers one after another. Rejects with the first refusal when no worker was started. */
async function startAll(input: Input, work: ToolWork): Promise<Started> {
  const [workers, refused]: [string[], RefusedStart[]] = [[], []];
  const key = randomUUID();
  let first: unknown;
  for (const [index, asked] of askedWorkers(input).entries()) {
    try {
      workers.push(await start(asked, input, work, `${key}-${index}`));
    } catch (error) {
      if (!(error instanceof ClawError) || work.call.signal.aborted) throw error;
      first ??= error;
      refused.push({ name: asked.name ?? null, code: error.code, message: error.message });
    }
  }
  if (workers.length === 0) throw first;
  return { workers, refused };
}

/**
 * The place in the log before the workers are started, so that no news of them is missed. Waits for a daemon that was
 * there and went away.
 */
function placeNow({ host: { seat }, call: { signal } }: ToolWork): Promise<string> {
  const deadlineMs = seat.peerId() === undefined ? 0 : Date.now() + AWAY_MS;
  return whileAway({ signal, deadlineMs: () => deadlineMs }, async () => {
    const bus = await seat.join(signal);
    try {
      return (await bus.request("worker.outcomes", { workers: [] })).cursor;
    } finally {
      await bus.close();
    }
  });
}

/** Starts workers, and waits for them: as a task where the client takes one. A later round starts nothing. */
export const handleRun: ToolHandler<"claws_run"> = async (input, work) => {
  const { call } = work;
  const asked = { tool: "claws_run", input } as const;
  if (call.requestState !== null) return nextRound(call.requestState, asked, work);
  const cursor = await placeNow(work);
  const { workers, refused } = await startAll(input, work);
  const isTask = declaresTasks(call) && input.wait_seconds !== 0;
  if (isTask) return openTask({ workers, refused, started: true }, work);
  return firstRound({ workers, refused, cursor }, asked, work);
};
