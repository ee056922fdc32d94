import * as z from "zod";
import { defineRequest, orAbsent, orElse, refusedAs, Word } from "../../define-request.ts";

const Amount = orAbsent(z.number().min(0));

export const setBudgetRequest = defineRequest({
  name: "budget.set",
  summary: "Limits what a fleet or a worker may spend from now on.",
  from: ["orchestrator"],
  effect: "write",
  request: z.object({
    scope: refusedAs(z.enum(["fleet", "worker"]), "scope has to be fleet or worker"),
    target: refusedAs(Word, "target required").describe("Name of the fleet, or id of the worker."),
    budget: refusedAs(
      orElse(z.object({ usd: Amount.describe("In US dollars."), tokens: Amount.describe("In tokens.") }), null),
      "budget has to be an object with usd, tokens, or both",
    ).describe("The limit; null for no limit."),
  }),
  reply: z.object({
    scope: z.enum(["fleet", "worker"]),
    id: z.string(),
    changed: z.boolean().describe("False when this limit was set before."),
  }),
});
