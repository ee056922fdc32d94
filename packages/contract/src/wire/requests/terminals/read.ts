import * as z from "zod";
import { LIMITS } from "../../../limits/limits.ts";
import { defineRequest, loose, WireId } from "../../define-request.ts";
import { LoggedCommand } from "./terminal-ref.ts";

export const readHistoryRequest = defineRequest({
  name: "read",
  summary: "Lists the newest command lines of shells, of one terminal or of all.",
  from: "any client",
  effect: "guarded read",
  request: z.object({
    since: loose(z.number()).describe("Only command lines after this `seq`."),
    id: loose(WireId).describe(
      "Id of the request. When it is the id of a terminal: only command lines of the terminal.",
    ),
    limit: loose(z.number()).describe(`Number of command lines, up to ${LIMITS.historyCommands}; 50 by default.`),
  }),
  reply: z.object({ events: z.array(LoggedCommand), cursor: z.number().describe("The `since` of the next request.") }),
});
