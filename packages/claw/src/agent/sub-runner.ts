import { ClawError, LIMITS } from "@claw/contract";
import { NEW_CONVERSATION } from "../sessions/index.ts";
import type { AskedModel, AskingOptions } from "./asked-model.ts";
import { askFor, requirePrice } from "./asked-model.ts";
import type { RunSubTask } from "./tools/agent.ts";
import { newProgress, runTurn } from "./turn/run-turn.ts";
import type { TurnConfig } from "./turn/turn-config.ts";

/** Everything of a turn but what differs between the turns of one agent. */
export type Standing = Omit<TurnConfig, "hookFields">;

export interface SubRunnerParts {
  readonly options: AskingOptions & { readonly budgetUsd: number | null };
  /** The model of the parent. */
  readonly parent: AskedModel;
  /** What the parent works with, and for which session. Asked when a sub-agent starts. */
  readonly standing: () => Standing;
  readonly sessionId: () => string;
}

/** Another model for a sub-agent. A model that plays a file would read what the parent may not. */
function askForSub(model: string, { options, parent }: SubRunnerParts): AskedModel {
  const asked = askFor(model, options);
  requirePrice(asked, options.budgetUsd);
  if (asked.choice.kind !== "scripted" || parent.choice.kind === "scripted") return asked;
  throw new ClawError("PERMISSION_DENIED", "a sub-agent cannot be played from a file", {
    operation: "run_sub_agent",
    target: model,
    hint: "Leave out the model, or name one of a provider.",
  });
}

/** Runs sub-agents: the same configuration without sub-agents, on the same account. */
export function createSubRunner(parts: SubRunnerParts): RunSubTask {
  return async ({ prompt, model }, call, signal) => {
    const { provider, costOf, choice } = model === null ? parts.parent : askForSub(model, parts);
    const standing = parts.standing();
    const sessionId = parts.sessionId();
    const config: TurnConfig = {
      ...standing,
      model: choice.model,
      provider,
      costOf,
      tools: standing.tools.filter(({ name }) => name !== "agent"),
      maxIterations: LIMITS.subAgentRequests,
      hookFields: { session_id: sessionId },
    };
    const nothing = (): undefined => undefined;
    const context = { sessionId, conversation: NEW_CONVERSATION, prompt, record: nothing, recordCompaction: nothing };
    const progress = newProgress();
    const stopReason = await runTurn(context, config, progress, { emit: call.nested ?? nothing, signal });
    return { message: progress.message, stopReason };
  };
}
