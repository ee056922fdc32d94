/** Characters that are passed on of each prompt in a report of an agent. */
export const REPORTED_CHARS = 4096;
