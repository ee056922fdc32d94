export type { Compaction, Conversation } from "./conversation.ts";
export { compacted, NEW_CONVERSATION } from "./conversation.ts";
export type { OpenTurn } from "./open-turn.ts";
export type { SessionEntry } from "./session-files.ts";
export { newSessionId } from "./session-ref.ts";
export type { SessionStore } from "./session-store.ts";
export { createSessionStore } from "./session-store.ts";
export { createdMs } from "./session-summary.ts";
export { EMPTY_TOTALS, estimateTokens } from "./session-totals.ts";
