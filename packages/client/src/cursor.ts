/** The log a cursor belongs to. Nothing else in a cursor is a client's concern. */
export const epochOf = (cursor: string): string => cursor.slice(0, cursor.indexOf(":"));

/** Everything there is comes after it. */
export const OLDEST = "0000:0";
