import * as z from "zod";
import { LIMITS } from "../../../limits/limits.ts";
import { defineRequest, loose } from "../../define-request.ts";
import { LoggedCommand } from "./terminal-ref.ts";

export const pollHistoryRequest = defineRequest({
  name: "poll",
  summary: "Lists the newest command lines of all shells.",
  from: "any client",
  effect: "guarded read",
  request: z.object({
    since: loose(z.number()).describe("Only command lines after this `seq`."),
    limit: loose(z.number()).describe(`Number of command lines, up to ${LIMITS.historyPage}, which is the default.`),
  }),
  reply: z.object({
    events: z.array(LoggedCommand),
    cursor: z.number().describe("The `since` of the next request."),
    truncated: z.boolean().describe("Whether older command lines were left out."),
    limit: z.number(),
  }),
});
