import { ClawError, LIMITS } from "claw-contract";
import { NEW_CONVERSATION } from "../sessions/index.ts";
import type { AskedModel, AskingOptions } from "./asked-model.ts";
import { askFor, requirePrice } from "./asked-model.ts";
import type { RunSubTask } from "./tools/agent.ts";
import { newProgress, runTurn } from "./turn/run-turn.ts";
import type { TurnConfig } from "./turn/turn-config.ts";

/** The part of a turn's configuration that all turns of one agent share. */
export type SharedTurnConfig = Omit<TurnConfig, "hookFields">;

export interface SubRunnerParts {
  readonly options: AskingOptions & { readonly budgetUsd: number | null };
  /** The model of the parent. */
  readonly parent: AskedModel;
  /** The parent's configuration and session id. Read when a sub-agent starts. */
  readonly shared: () => SharedTurnConfig;
  readonly sessionId: () => string;
}

/**
 * Opens another model for a sub-agent. A scripted model is refused unless the parent's model is scripted too: the
 * script could be a file that the parent may not read.
 */
function askForSub(model: string, { options, parent }: SubRunnerParts): AskedModel {
  const asked = askFor(model, options);
  requirePrice(asked, options.budgetUsd);
  if (asked.choice.kind !== "scripted" || parent.choice.kind === "scripted") return asked;
  throw new ClawError("PERMISSION_DENIED", "a sub-agent cannot use a scripted model from a file", {
    operation: "run_sub_agent",
    target: model,
    hint: "Leave out the model, or name a model of a provider.",
  });
}

/**
 * Runs sub-agents with the parent's configuration but without the `agent` tool. Sub-agents spend the parent's budget.
 */
export function createSubRunner(parts: SubRunnerParts): RunSubTask {
  return async ({ prompt, model }, call, signal) => {
    const { provider, costOf, choice } = model === null ? parts.parent : askForSub(model, parts);
    const shared = parts.shared();
    const sessionId = parts.sessionId();
    const config: TurnConfig = {
      ...shared,
      model: choice.model,
      provider,
      costOf,
      tools: shared.tools.filter(({ name }) => name !== "agent"),
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
