import * as z from "zod";
import { defineRequest } from "../../define-request.ts";
import { TokenRecord } from "./token.ts";

export const listTokensRequest = defineRequest({
  name: "token.list",
  summary: "Lists the issued tokens that are still valid, without the tokens themselves.",
  from: ["orchestrator", "observer"],
  effect: "guarded read",
  request: z.object({}),
  reply: z.object({ tokens: z.array(TokenRecord) }),
});
