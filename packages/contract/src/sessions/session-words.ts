import type { ContentBlock } from "./session-record.ts";

/** The version of session files this program writes, and the newest it reads. */
export const SESSION_FILE_VERSION = 1;

/** How a turn can come to its end. */
export const TURN_STOP_REASONS = [
  "completed",
  "timeout",
  "cancelled",
  "max_budget_reached",
  "max_turns_reached",
] as const;

export type TurnStopReason = (typeof TURN_STOP_REASONS)[number];

/** The texts among the blocks of a message, joined. */
export const blockText = (blocks: readonly ContentBlock[], separator = ""): string =>
  blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(separator);
