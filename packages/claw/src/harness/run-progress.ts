import { activityOf } from "./activity.ts";
import type { RunFacts } from "./run-facts.ts";
import type { RunProgress } from "./run-reader.ts";

/** What is known while the stream goes on. Totals the agent tells count for more than sums over its messages. */
export const progressOf = ({ usage, liveUsage, latest, ...facts }: RunFacts): RunProgress => ({
  inputTokens: usage.inputTokens ?? liveUsage.inputTokens,
  outputTokens: usage.outputTokens ?? liveUsage.outputTokens,
  messageInputTokens: liveUsage.inputTokens,
  costUsd: usage.costUsd ?? null,
  sessionId: facts.sessionId,
  model: facts.model,
  permissionMode: facts.permissionMode,
  activity: latest === null ? null : activityOf(latest),
  sawResult: facts.turnEnd !== null && !facts.isTurnOpen,
  turns: facts.turnsStarted,
  // A limit that was not reached has a reset too, hours away, and another failure has nothing to do with it.
  limitResetsAtMs: facts.limit?.reached === true ? facts.limit.resetsAtMs : null,
  backgroundTasks: facts.tasks.running(),
});
