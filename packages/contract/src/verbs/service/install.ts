import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { managerField, serviceChangeFields } from "../../verb/service-parts.ts";

export const installService = defineVerb({
  name: "service install",
  group: "programs",
  summary: "Write a user service that runs the daemon of this folder, with the flags of the daemon that runs here.",
  input: z.object({ manager: managerField }),
  output: z.object({
    ...serviceChangeFields,
    text: z.string().describe("Content of the service's file."),
    verified: z.boolean().nullable().describe("What the manager's own check found; null when there is none."),
  }),
  errors: [],
  effect: "write",
  unixOnly: true,
  examples: [{ description: "Show the file first", command: "claw service install --dry-run" }],
});
