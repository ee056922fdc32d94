import * as z from "zod";
import { ROLES } from "../../../events/fields.ts";

/** An issued token, without the token text. Times are milliseconds. */
export const TokenRecord = z.object({
  tokenId: z.string(),
  role: z.enum(ROLES),
  peer: z.string().nullable().describe("The only peer name that the bearer may use; null when any name is allowed."),
  browser: z.string().nullable().describe("The browser whose session on the page it is; null for a token of a client."),
  createdAt: z.number(),
  expiresAt: z.number(),
});
