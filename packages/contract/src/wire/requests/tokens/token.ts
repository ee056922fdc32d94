import * as z from "zod";
import { ROLES } from "../../../events/fields.ts";

/** An issued token, without the token text. Times are milliseconds. */
export const TokenRecord = z.object({
  tokenId: z.string(),
  role: z.enum(ROLES),
  peer: z.string().nullable().describe("The only peer name that the bearer may use; null when any name is allowed."),
  createdAt: z.number(),
  expiresAt: z.number(),
});
