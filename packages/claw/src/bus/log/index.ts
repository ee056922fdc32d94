export type {
  CommitListener,
  EventLog,
  Feed,
  LeaseMark,
  LogBatch,
  NewEvent,
  OwnEvent,
  SentEvent,
  StoredEvent,
} from "./event-log.ts";
export { openLogCopy } from "./log-copy.ts";
export { lineHead, logLine } from "./log-line.ts";
export { createMemoryLog } from "./memory-log.ts";
export { findEnd, listSegments } from "./segment-files.ts";
export { openSegmentLog } from "./segment-log.ts";
