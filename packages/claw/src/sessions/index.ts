export type { SessionEntry } from "./session-files.ts";
export type { SessionStore } from "./session-store.ts";
export { createSessionStore } from "./session-store.ts";
export { createdMs } from "./session-summary.ts";
export { EMPTY_TOTALS } from "./session-totals.ts";
