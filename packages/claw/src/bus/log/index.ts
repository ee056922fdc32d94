export type { CommitListener, EventLog, Feed, LogBatch, NewEvent, OwnEvent, StoredEvent } from "./event-log.ts";
export { logLine } from "./log-line.ts";
export { createMemoryLog } from "./memory-log.ts";
export { findEnd } from "./segment-files.ts";
export { openSegmentLog } from "./segment-log.ts";
