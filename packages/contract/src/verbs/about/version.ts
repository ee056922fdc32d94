import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";

export const version = defineVerb({
  name: "version",
  group: "programs",
  summary: "Print the version of claw and of what it runs on.",
  input: z.object({}),
  output: z.object({
    kind: z.literal("version"),
    version: z.string(),
    node_version: z.string(),
    platform: z.string(),
    arch: z.string(),
    executable_path: z.string(),
  }),
  errors: [],
  effect: "read",
  anywhere: true,
  examples: [{ description: "For a program", command: "claw version --output-format json" }],
});
