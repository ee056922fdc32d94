import { activityOf } from "./activity.ts";
import type { RunFacts } from "./run-facts.ts";
import type { RunProgress } from "./run-reader.ts";

/** Progress of a run whose stream is still open. Totals from the agent take precedence over sums over its messages. */
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
  // A limit that is not reached also has a reset time, hours away. Other failures have nothing to do with that time.
  limitResetsAtMs: facts.limit?.reached === true ? facts.limit.resetsAtMs : null,
  backgroundTasks: facts.tasks.running(),
});
