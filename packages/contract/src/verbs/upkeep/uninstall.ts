import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { MutationEffect, WouldAffect } from "../../verb/output-parts.ts";

const REMOVED = ["daemon", "service", "completion", "cache", "secrets", "data"] as const;

export const uninstall = defineVerb({
  name: "uninstall",
  group: "programs",
  summary: "List what claw made for this folder and this user, and with --yes remove it. Work is left alone.",
  input: z.object({
    data: z.boolean().default(false).describe("Also remove the sessions, settings and log of this folder."),
    yes: z.boolean().default(false).describe("Remove what is listed.").meta({ short: "y" }),
  }),
  output: z.object({
    removed: z.array(z.object({ what: z.enum(REMOVED), path: z.string(), effect: MutationEffect })),
    kept: z.array(z.object({ path: z.string(), reason: z.string() })).describe("What stays, and why."),
    next: z.array(z.string()).describe("Commands that remove the rest."),
    effect: MutationEffect,
    would_affect: WouldAffect,
  }),
  errors: ["DAEMON_FAILED", "WORKER_RUNNING"],
  effect: "delete",
  unixOnly: true,
  examples: [
    { description: "Show what would be removed, and what would stay", command: "claw uninstall" },
    { description: "Remove it", command: "claw uninstall --yes" },
  ],
});
