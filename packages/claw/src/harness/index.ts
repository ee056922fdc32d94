export { watchDialect } from "./dialect.ts";
export { describeCall } from "./stream/activity.ts";
export type { AgentReport } from "./agents/inspect-agents.ts";
export { inspectAgents } from "./agents/inspect-agents.ts";
export { readAgentTotal } from "./metering/claude-calls.ts";
export type { CallBook, CountedCall } from "./metering/call-book.ts";
export { createCallBook } from "./metering/call-book.ts";
export {
  callCost,
  addTokens,
  allTokens,
  largerTokens,
  lessTokens,
  NO_TOKENS,
  tokensIn,
} from "./metering/model-call.ts";
export type { AgentTotal, CallFact, CallTokens } from "./metering/model-call.ts";
export type { SessionMeter, StreamCalls } from "./metering/session-meter.ts";
export { createSessionMeter, createStreamCalls, isHeardQuestion } from "./metering/session-meter.ts";
export { NO_RESULT } from "./result/build-result.ts";
export { createRunReader } from "./stream/create-run-reader.ts";
export type { Harness, RunRequest } from "./harness.ts";
export { AGENT_PROGRAMS } from "./agent-programs.ts";
export { HARNESSES } from "./harness-table.ts";
export { hintOf } from "./harnesses/claw.ts";
export { limitReached } from "./result/verdict.ts";
export type { RunItem, RunProgress, RunReader } from "./stream/run-reader.ts";
export { createStreamState } from "./stream/stream-state.ts";
export type { EventSpool } from "./stores/event-store.ts";
export type { StreamMessage } from "./stream/stream-message.ts";
export { agentEnvironment } from "./runner/agent-environment.ts";
export type { Decide } from "./runner/question-queue.ts";
export { createLineFile } from "./runner/line-file.ts";
export { askCommand } from "./runner/permission-command.ts";
export type { AgentRun, RunBatch, RunOutcome } from "./runner/run-agent.ts";
export { runAgent } from "./runner/run-agent.ts";
