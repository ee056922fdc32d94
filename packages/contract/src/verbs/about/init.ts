import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields } from "../../verb/output-parts.ts";

export const init = defineVerb({
  name: "init",
  group: "ask",
  summary: "Prepare this folder: settings, a place for sessions, and ignore rules for git.",
  input: z.object({}),
  output: z.object({
    project_path: z.string(),
    already_initialized: z.boolean(),
    created: z.array(z.string()),
    skipped: z.array(z.string()),
    artifacts: z.array(z.object({ name: z.string(), status: z.enum(["created", "would_create", "exists"]) })),
    next_step: z.string(),
    ...changeFields,
  }),
  errors: ["INVALID_OUTPUT_PATH"],
  effect: "write",
  examples: [{ description: "Prepare the current folder", command: "claw init" }],
});
