import * as z from "zod";
import { defineRequest, judged } from "../../define-request.ts";

export const authRequest = defineRequest({
  name: "auth",
  summary: "Shows a token before any other request. A frame with `bearer` and without `cmd` counts as this request.",
  from: "any client",
  effect: "read",
  request: z.object({ bearer: judged(z.string().describe("The token.")) }),
  reply: z.object({}),
});
