import * as z from "zod";
import { BUS_ERRORS } from "../verb/bus-errors.ts";
import { defineVerb } from "../verb/define-verb.ts";
import { MutationEffect, WouldAffect } from "../verb/output-parts.ts";

export const accept = defineVerb({
  name: "accept",
  group: "workers",
  summary: "Accept what a worker reported.",
  input: z.object({
    worker: z.string().describe("Id or name of the worker.").meta({ positional: 0 }),
    note: z.string().optional().describe("What to say about it in the record."),
    yes: z.boolean().default(false).describe("Although something speaks against it.").meta({ short: "y" }),
  }),
  output: z.object({
    peer_id: z.string(),
    name: z.string(),
    completion: z.literal("accepted"),
    result: z.string().nullable(),
    summary: z.string().nullable(),
    objections: z.array(z.string()).describe("What speaks against it."),
    effect: MutationEffect,
    would_affect: WouldAffect,
  }),
  errors: [
    ...BUS_ERRORS,
    "WORKER_NOT_FOUND",
    "WORKER_NOT_REPORTED",
    "WORKER_ENDED",
    "CONFIRMATION_REQUIRED",
    "PUBLISH_NOT_STORED",
  ],
  effect: "write",
  examples: [{ description: "By the name of the worker", command: "claw accept fixer" }],
});
