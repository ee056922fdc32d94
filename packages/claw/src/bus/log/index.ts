export type { CommitListener, EventLog, LogBatch, NewEvent, StoredEvent } from "./event-log.ts";
export { createMemoryLog } from "./memory-log.ts";
export type { SegmentLogOptions } from "./segment-log.ts";
export { openSegmentLog } from "./segment-log.ts";
