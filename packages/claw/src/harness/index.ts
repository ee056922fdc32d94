export { createRunReader } from "./create-run-reader.ts";
export type { Harness, RunRequest, SpawnSpec } from "./harness.ts";
export { HARNESSES } from "./harness-table.ts";
export type { ExitEvidence, RunItem, RunProgress, RunReader, RunReaderOptions } from "./run-reader.ts";
export type { AgentRequest, RunUpdate, TurnEnd, Usage } from "./run-update.ts";
export type { Spool } from "./spool.ts";
export type { StreamMessage } from "./stream-message.ts";
