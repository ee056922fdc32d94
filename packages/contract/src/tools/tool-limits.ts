/** Longest time a tool waits before it answers with what there is: below the time limit of every client. */
export const MAX_TOOL_WAIT_SECONDS = 45;

/** Longest time that `--hold-seconds` allows. */
export const MAX_HOLD_SECONDS = 3600;
