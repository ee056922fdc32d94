import * as z from "zod";
import { defineVerb } from "../verb/define-verb.ts";
import { Count, MutationEffect, WouldAffect } from "../verb/output-parts.ts";

export const down = defineVerb({
  name: "down",
  group: "workers",
  summary: "Stop the daemon of this folder. Everything it acknowledged is kept.",
  input: z.object({}),
  output: z.object({
    stopped: z.boolean(),
    pid: Count.nullable(),
    effect: MutationEffect,
    would_affect: WouldAffect,
  }),
  errors: ["DAEMON_FAILED"],
  effect: "write",
  examples: [{ description: "Stop it", command: "claw down" }],
});
