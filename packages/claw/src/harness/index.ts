export { watchDialect } from "./dialect.ts";
export { describeCall } from "./activity.ts";
export type { AgentReport } from "./agents/inspect-agents.ts";
export { inspectAgents } from "./agents/inspect-agents.ts";
export { readAgentTotal } from "./metering/agent-total.ts";
export type { CallBook, CountedCall } from "./metering/call-book.ts";
export { createCallBook } from "./metering/call-book.ts";
export { callCost } from "./metering/call-cost.ts";
export type { AgentTotal, CallFact, CallTokens } from "./metering/model-call.ts";
export { addTokens, allTokens, largerTokens, lessTokens, NO_TOKENS, tokensIn } from "./metering/model-call.ts";
export type { SessionMeter } from "./metering/session-meter.ts";
export { createSessionMeter } from "./metering/session-meter.ts";
export type { StreamCalls } from "./metering/stream-calls.ts";
export { createStreamCalls, isHeardQuestion } from "./metering/stream-calls.ts";
export { NO_RESULT } from "./build-result.ts";
export { createRunReader } from "./create-run-reader.ts";
export type { Backstage, Ending } from "./fake-agent/stage.ts";
export type { Harness, RunRequest } from "./harness.ts";
export { HARNESSES } from "./harness-table.ts";
export { hintOf } from "./own-error.ts";
export { limitReached } from "./limit-reached.ts";
export type { RunItem, RunProgress, RunReader } from "./run-reader.ts";
export { createStreamState } from "./stream-state.ts";
export type { Spool } from "./spool.ts";
export type { StreamMessage } from "./stream-message.ts";
export { agentEnvironment } from "./runner/agent-environment.ts";
export type { Decide } from "./runner/desk.ts";
export { createLineFile } from "./runner/line-file.ts";
export { askCommand } from "./runner/permission-command.ts";
export type { AgentRun, RunBatch, RunOutcome } from "./runner/run-agent.ts";
export { runAgent } from "./runner/run-agent.ts";

/** The built-in scenarios of the fake agent. Does not load the fake agent itself. */
export const loadBuiltInScenarios = async () => (await import("./fake-agent/built-in-scenarios.ts")).BUILT_IN_SCENARIOS;

/** The fake agent, loaded only by the process that plays one. */
export const loadFakeAgent = () => import("./fake-agent/play-fake-agent.ts");
