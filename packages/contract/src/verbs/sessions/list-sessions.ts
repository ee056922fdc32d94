import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count, SessionSummary } from "../../verb/output-parts.ts";

export const listSessions = defineVerb({
  name: "list-sessions",
  group: "sessions",
  summary: "List the stored sessions of this folder, newest first.",
  input: z.object({}),
  output: z.object({
    directory: z.string().describe("The sessions folder, relative to the working folder."),
    sessions_count: Count.describe("How many sessions this page holds."),
    total_count: Count.describe("How many sessions there are."),
    sessions: z.array(SessionSummary),
  }),
  errors: ["INVALID_CURSOR"],
  effect: "read",
  list: "sessions",
  examples: [
    { description: "The ten newest sessions", command: "claw list-sessions --limit 10" },
    { description: "For a program", command: "claw list-sessions --output-format json" },
  ],
});
