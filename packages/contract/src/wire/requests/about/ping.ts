import * as z from "zod";
import { defineRequest } from "../../define-request.ts";

export const pingRequest = defineRequest({
  name: "ping",
  summary: "Asks for a sign of life.",
  from: "any client",
  effect: "read",
  request: z.object({}),
  reply: z.object({ serverTime: z.number().describe("The server's clock, in milliseconds.") }),
});
