import * as z from "zod";
import { ROLES } from "../../../events/fields.ts";
import { LIMITS } from "../../../limits/limits.ts";
import { defineRequest, loose, refusedAs, Word } from "../../define-request.ts";
import { TokenRecord } from "./token.ts";

export const createTokenRequest = defineRequest({
  name: "token.create",
  summary: "Makes a token to give to another client.",
  from: ["orchestrator"],
  effect: "write",
  request: z.object({
    role: refusedAs(z.enum(ROLES), "token.create:unknown-role").describe("Role of the bearer."),
    peer: loose(Word).describe("The only peer name that the bearer may use."),
    lifetimeMs: loose(z.number()).describe(
      `Time until the token expires, from 1 to ${LIMITS.tokenLifetimeMaxMs}; ${LIMITS.tokenLifetimeMs} by default.`,
    ),
  }),
  reply: TokenRecord.extend({ token: z.string().describe("The token. No other reply holds it.") }),
});
