/** Longest time a tool waits before it answers with what there is: below the time limit of every client. */
export const MAX_TOOL_WAIT_SECONDS = 45;

/** How much of that time is kept for the answer, so that a busy machine keeps the limit too. */
export const ANSWER_RESERVE_SECONDS = 5;

/** Longest time that `--hold-seconds` allows. */
export const MAX_HOLD_SECONDS = 3600;
