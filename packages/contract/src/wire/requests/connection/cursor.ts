import * as z from "zod";

/** A place in the log: the log's epoch and the sequence of an event. */
export const Cursor = z
  .string()
  .regex(/^\d{4}:\d{1,15}$/)
  .describe("Place in the log: `<epoch>:<sequence>`.");
