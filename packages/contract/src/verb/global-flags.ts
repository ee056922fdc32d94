import * as z from "zod";
import { ENVELOPES } from "../envelopes/index.ts";

/** Flags that every call takes, before or after the verb. */
export const globalFlags = z.object({
  outputFormat: z
    .enum(["text", "json"])
    .default("text")
    .describe("Format of the answer; also set by CLAW_OUTPUT_FORMAT.")
    .meta({ error: "INVALID_OUTPUT_FORMAT", ignoreCase: true }),
  envelope: z
    .enum(ENVELOPES)
    .default("claw")
    .describe("Shape of a JSON answer and meaning of exit codes; also set by CLAW_ENVELOPE.")
    .meta({ ignoreCase: true }),
  cwd: z
    .string()
    .optional()
    .describe("Folder to work in.")
    .meta({ short: "C", aliases: ["directory"] }),
  timeoutSeconds: z.number().min(0).optional().describe("End the command after this many seconds."),
  quiet: z.boolean().default(false).describe("Print the answer only: no warnings, no progress.").meta({ short: "q" }),
  verbose: z
    .boolean()
    .default(false)
    .describe("Print details of errors, and whole payloads of events.")
    .meta({ short: "v" }),
  noColor: z.boolean().default(false).describe("Print without colours; also set by NO_COLOR."),
  help: z.boolean().default(false).describe("Explain the command.").meta({ short: "h" }),
  version: z.boolean().default(false).describe("Print the version.").meta({ short: "V" }),
});
