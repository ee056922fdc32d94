/** The id of the log that a cursor belongs to. Clients treat the rest of a cursor as opaque. */
export const epochOf = (cursor: string): string => cursor.slice(0, cursor.indexOf(":"));

/** The cursor before the oldest event of any log. */
export const OLDEST = "0000:0";

/** The cursor after the event with this sequence, in the log with this id. */
export const cursorAt = (epoch: string, sequence: number): string => `${epoch}:${Math.max(0, sequence)}`;
