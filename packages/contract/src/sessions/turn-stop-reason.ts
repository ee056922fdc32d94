/** How a turn can come to its end. */
export const TURN_STOP_REASONS = [
  "completed",
  "timeout",
  "cancelled",
  "max_budget_reached",
  "max_turns_reached",
] as const;

export type TurnStopReason = (typeof TURN_STOP_REASONS)[number];
