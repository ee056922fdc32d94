import * as z from "zod";
import { BUDGET_UNITS } from "../../../budgets/amounts.ts";
import { BUDGET_SCOPES } from "../../../workers/worker-words.ts";
import { ANY_PEER, defineRequest } from "../../define-request.ts";

/** A budget with a limit, as the wire shows it. */
export const BudgetView = z.object({
  scope: z.enum(BUDGET_SCOPES),
  id: z.string().nullable().describe("Worker, run, fleet or day; null for the workspace."),
  limit: z.object({ usd: z.number().optional(), tokens: z.number().optional() }),
  spent: z.object({ usd: z.number(), tokens: z.number() }),
  exceeded: z.array(z.enum(BUDGET_UNITS)).describe("Units whose limit is reached."),
  since: z.string().optional().describe("Time at which the limit was reached; absent before that."),
});

export const listBudgetsRequest = defineRequest({
  name: "budget.list",
  summary: "Lists every budget with a limit: of workers, runs, fleets, the day and the workspace.",
  from: ANY_PEER,
  effect: "guarded read",
  request: z.object({}),
  reply: z.object({ budgets: z.array(BudgetView) }),
});
