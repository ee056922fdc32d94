import * as z from "zod";
import { MutationEffect, WouldAffect } from "./output-parts.ts";

export const SERVICE_MANAGERS = ["systemd", "launchd"] as const;

/** Input of the verbs of `service`. */
export const managerField = z
  .enum(SERVICE_MANAGERS)
  .optional()
  .describe("Service manager to write for; by default the manager of this system.");

/** Output of the verbs of `service`. */
export const serviceFields = {
  manager: z.enum(SERVICE_MANAGERS),
  name: z.string().describe("Name of the service, by which its manager knows it."),
  path: z.string().describe("Absolute path of the service's file."),
  reachable: z.boolean().describe("Whether the service manager of this user answers. The file is written in any case."),
  next: z.array(z.string()).describe("Commands that a person may want next."),
};

export const serviceChangeFields = { ...serviceFields, effect: MutationEffect, would_affect: WouldAffect };
