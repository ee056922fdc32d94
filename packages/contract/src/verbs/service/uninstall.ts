import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { managerField, serviceChangeFields } from "../../verb/service-parts.ts";

export const uninstallService = defineVerb({
  name: "service uninstall",
  group: "programs",
  summary: "Remove the user service of this folder. A daemon that runs goes on.",
  input: z.object({ manager: managerField }),
  output: z.object(serviceChangeFields),
  errors: [],
  effect: "delete",
  unixOnly: true,
  examples: [{ description: "Remove it", command: "claw service uninstall" }],
});
