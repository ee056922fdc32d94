import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count, MutationEffect, WouldAffect } from "../../verb/output-parts.ts";

export const restore = defineVerb({
  name: "restore",
  group: "start",
  summary: "Put the sessions, settings and log of a backup into this folder, in place of what is there.",
  input: z.object({
    file: z.string().min(1).describe("File that claw backup wrote.").meta({ positional: 0 }),
    yes: z
      .boolean()
      .default(false)
      .describe("Replace the sessions, settings and log of this folder.")
      .meta({ short: "y" }),
  }),
  output: z.object({
    file: z.string(),
    files: Count,
    bytes: Count,
    version: z.string().describe("Version of claw that wrote the backup."),
    created_at: z.string(),
    workspace: z.string().describe("Folder that the backup was made of."),
    replaced: z.array(z.string()).describe("Absolute paths of the folders whose content is replaced."),
    effect: MutationEffect,
    would_affect: WouldAffect,
  }),
  errors: [
    "BACKUP_INVALID",
    "BACKUP_NOT_FOUND",
    "CONFIRMATION_REQUIRED",
    "DAEMON_RUNNING",
    "FORMAT_UNSUPPORTED",
    "SESSION_LOCKED",
    "WORKER_RUNNING",
  ],
  effect: "write",
  unixOnly: true,
  unlimited: true,
  examples: [
    { description: "Check the file and show what would change", command: "claw restore project.tar.gz --dry-run" },
  ],
});
