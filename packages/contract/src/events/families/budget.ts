import * as z from "zod";
import { BUDGET_SCOPES } from "../../workers/worker-words.ts";
import { bareEvent } from "../event-row.ts";
import { amount, text, texts, timestamp } from "../fields.ts";
import { WorkerBudget } from "./supervision.ts";

const ts = timestamp("When.");

export const BudgetExceeded = z.looseObject({
  scope: z.enum(BUDGET_SCOPES).describe("What the limit is for."),
  id: text("Worker, run, fleet or day it is for.").nullable(),
  unit: z.enum(["usd", "tokens"]).describe("What is counted."),
  spent: amount("Spent so far."),
  limit: amount("The limit."),
  stopped: texts("Workers that were told to stop."),
  ts,
});
export type BudgetExceeded = z.infer<typeof BudgetExceeded>;

export const BudgetSet = z.looseObject({
  scope: z.enum(["fleet", "worker"]).describe("What the limit is for."),
  id: text("Fleet or worker it is for."),
  budget: WorkerBudget.nullable().describe("The limit from now on; null for none."),
  by: text("Peer that set it."),
  ts,
});
export type BudgetSet = z.infer<typeof BudgetSet>;

export const BudgetUnmeasurable = z.looseObject({
  id: text("Worker that has a limit in dollars."),
  model: text("Model whose price is not known."),
  reason: text("What that means, and what can be done."),
  ts: timestamp("When."),
});

export const BUDGET_EVENTS = [
  bareEvent({
    address: "system.budget.set",
    name: "system-budget-set-v1",
    schema: BudgetSet,
    summary: "The limit of a fleet or a worker was set.",
  }),
  bareEvent({
    address: "system.budget.exceeded",
    name: "system-budget-exceeded-v1",
    schema: BudgetExceeded,
    summary: "A limit of money or tokens was reached, and who spent it told to stop.",
  }),
  bareEvent({
    address: "system.budget.unmeasurable",
    name: "system-budget-unmeasurable-v1",
    schema: BudgetUnmeasurable,
    summary: "A worker with a limit in dollars uses a model whose price is not known, and was told to pause.",
  }),
] as const;
