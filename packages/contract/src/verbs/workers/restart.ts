import * as z from "zod";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { WorkerRef } from "../../verb/command-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count, MutationEffect, WouldAffect } from "../../verb/output-parts.ts";

export const restart = defineVerb({
  name: "restart",
  group: "workers",
  summary: "Start a worker again: the same worker, its next life. One that runs is ended first.",
  input: z.object({
    worker: WorkerRef.describe("Worker by id or name.").meta({ positional: 0 }),
    reason: z.string().min(1).max(4000).default("asked to by claw restart").describe("Why; the worker is told."),
  }),
  output: z.object({
    peer_id: z.string(),
    name: z.string(),
    attempt: Count.describe("Which life of it this is; the first was 1."),
    pid: Count.nullable().describe("Its process; null in a dry run."),
    effect: MutationEffect,
    would_affect: WouldAffect,
  }),
  errors: [...BUS_ERRORS, "BUDGET_EXCEEDED", "WORKER_NOT_FOUND", "WORKER_ENDED", "WORKER_FAILED", "PUBLISH_NOT_STORED"],
  effect: "write",
  examples: [{ description: "After it has crashed for the last time", command: "claw restart fixer" }],
});
