import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { managerField, serviceFields } from "../../verb/service-parts.ts";

export const serviceStatus = defineVerb({
  name: "service status",
  alone: true,
  group: "programs",
  summary: "Tell whether the user service of this folder is installed, current and running.",
  input: z.object({ manager: managerField }),
  output: z.object({
    ...serviceFields,
    installed: z.boolean(),
    current: z.boolean().describe("Whether the file is what claw service install would write now."),
    enabled: z.boolean().nullable().describe("Whether it starts with the user's session; null when nobody can tell."),
    active: z.boolean().nullable().describe("Whether the manager runs it; null when nobody can tell."),
  }),
  errors: [],
  effect: "read",
  unixOnly: true,
  examples: [{ description: "Is it installed?", command: "claw service status" }],
});
