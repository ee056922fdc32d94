import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count, MutationEffect, WouldAffect } from "../../verb/output-parts.ts";

export const backup = defineVerb({
  name: "backup",
  group: "start",
  summary: "Write the sessions, settings and log of this folder to one file, also while the daemon runs.",
  input: z.object({
    file: z
      .string()
      .min(1)
      .optional()
      .describe("File to write; by default a new one in claw/backups of your data folder.")
      .meta({ positional: 0 }),
    yes: z.boolean().default(false).describe("Replace the file if it exists.").meta({ short: "y" }),
  }),
  output: z.object({
    file: z.string().describe("Absolute path of the backup. Only you can read it: it holds environments of workers."),
    files: Count,
    bytes: Count.describe("Size of all files before they were compressed."),
    sessions: Count,
    sequence: Count.nullable().describe("Last event of the log in the backup; null without a log."),
    effect: MutationEffect,
    would_affect: WouldAffect,
  }),
  errors: ["CONFIRMATION_REQUIRED", "INVALID_OUTPUT_PATH", "REQUEST_TOO_LARGE"],
  effect: "write",
  unixOnly: true,
  unlimited: true,
  examples: [
    { description: "To a new file", command: "claw backup" },
    { description: "To a file of your choice", command: "claw backup ../project.tar.gz" },
  ],
});
