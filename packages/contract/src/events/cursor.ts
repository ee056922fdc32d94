/** The id of the log that a cursor belongs to. Clients treat the rest of a cursor as opaque. */
export const epochOf = (cursor: string): string => cursor.slice(0, cursor.indexOf(":"));

/** The cursor before the oldest event of any log. */
export const OLDEST = "0000:0";
