import * as z from "zod";
import { ROLES } from "../events/fields.ts";
import { Timestamp } from "./output-parts.ts";

/** What a token lets its bearer be. */
export const TokenRole = z.enum(ROLES);

/** A token without the token: that is shown once, when it is made. */
export const TokenEntry = z.object({
  token_id: z.string(),
  role: TokenRole,
  peer: z.string().nullable().describe("The only name its bearer may go by; null when any will do."),
  created_at: Timestamp,
  expires_at: Timestamp,
});
