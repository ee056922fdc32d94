export type { Harness, RunRequest, SpawnSpec, StreamState } from "./harness.ts";
export type { ExitEvidence, RunItem, RunProgress, RunReader, RunReaderOptions, StreamMessage } from "./run-reader.ts";
export type { AgentRequest, RunUpdate, TurnEnd, Usage } from "./run-update.ts";
export type { Spool } from "./spool.ts";
