export type { CommitListener, EventLog, StoredEvent } from "./event-log.ts";
export { createMemoryLog } from "./memory-log.ts";
export { openSegmentLog } from "./segment-log.ts";
