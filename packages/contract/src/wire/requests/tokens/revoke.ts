import * as z from "zod";
import { defineRequest, judged, Word } from "../../define-request.ts";
import { TokenRecord } from "./token.ts";

export const revokeTokenRequest = defineRequest({
  name: "token.revoke",
  summary: "Revokes an issued token, and hangs up on the clients that are connected with it.",
  from: ["orchestrator"],
  effect: "write",
  request: z.object({ tokenId: judged(Word.describe("Required.")) }),
  reply: TokenRecord,
});
