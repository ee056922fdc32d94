import * as z from "zod";
import { ROLES } from "../events/fields.ts";
import { Timestamp } from "./output-parts.ts";

/** Role that a token gives to the bearer. */
export const TokenRole = z.enum(ROLES);

/** The record of a token without the secret: the secret is shown once, when the token is made. */
export const TokenEntry = z.object({
  token_id: z.string(),
  role: TokenRole,
  peer: z.string().nullable().describe("The only peer name that the bearer may use; null when any name is allowed."),
  created_at: Timestamp,
  expires_at: Timestamp,
});
