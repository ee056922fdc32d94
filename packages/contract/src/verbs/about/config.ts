import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count } from "../../verb/output-parts.ts";

const SettingsFile = z.object({
  path: z.string(),
  source: z.enum(["user", "project", "local"]),
  precedence: Count.describe("Higher wins."),
  status: z.enum(["loaded", "not_found", "invalid"]),
  problem: z.string().nullable(),
  keys: z.array(z.string()).describe("Values that take effect from this file."),
  shadowed_keys: z.array(z.string()).describe("Values of this file that a later file overrides."),
});

export const config = defineVerb({
  name: "config",
  group: "ask",
  summary: "Show every setting with the file that set it.",
  input: z.object({
    section: z.string().optional().describe("Show one section only.").meta({ positional: 0 }),
  }),
  output: z.object({
    kind: z.literal("config"),
    status: z.enum(["ok", "degraded"]),
    section: z.string().nullable(),
    values: z.array(z.object({ key: z.string(), value: z.unknown(), file: z.string().nullable() })),
    files: z.array(SettingsFile),
    supported_sections: z.array(z.string()),
    load_error: z.string().nullable(),
  }),
  errors: ["UNSUPPORTED_CONFIG_SECTION"],
  effect: "read",
  examples: [{ description: "Which file sets the permissions", command: "claw config permissions" }],
});
