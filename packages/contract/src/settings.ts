import * as z from "zod";
import { ENVELOPES } from "./envelopes/index.ts";
import { PERMISSION_MODES } from "./permission-modes.ts";

export const PermissionMode = z.enum(PERMISSION_MODES);

/** The keys a settings file may hold. Unknown keys are reported, not refused. */
export const Settings = z.looseObject({
  $schema: z.string().optional(),
  model: z.string().optional().describe("Model to use."),
  envelope: z.enum(ENVELOPES).optional().describe("Default of --envelope."),
  outputFormat: z.enum(["text", "json"]).optional().describe("Default of --output-format."),
  permissions: z
    .looseObject({ defaultMode: PermissionMode.optional().describe("Mode when no flag names one.") })
    .optional()
    .describe("What a run may do."),
});

export type Settings = z.infer<typeof Settings>;
