export type { CommitListener, EventLog, LogBatch, StoredEvent } from "./event-log.ts";
export { createMemoryLog } from "./memory-log.ts";
export { openSegmentLog } from "./segment-log.ts";
