import * as z from "zod";
import { COMPLETIONS } from "./worker-record.ts";
import { WORKER_STATES } from "./worker-words.ts";

/** Where a worker stands that a caller waits for. */
export const WorkerOutcome = z.looseObject({
  peer_id: z.string(),
  name: z.string(),
  verdict: z.enum(["waiting", "met", "failed"]).describe("`failed` when what is waited for can no longer come."),
  code: z.string().nullable().describe("Code of the error catalogue for a failed verdict."),
  state: z.enum(WORKER_STATES).nullable().describe("Null for a worker that was removed."),
  reason: z.string().describe("Why it is in that state, or why it failed."),
  completion: z.enum(COMPLETIONS).nullable(),
  result: z.string().nullable().describe("How the worker says it ended."),
  summary: z.string().nullable().describe("What the worker says it did."),
  checks: z.array(z.looseObject({ command: z.string(), passed: z.boolean(), exit_code: z.int().nullable() })),
  cost_usd: z.number(),
  tokens: z.number(),
  worktree: z.looseObject({ path: z.string(), branch: z.string() }).nullable(),
});
export type WorkerOutcome = z.infer<typeof WorkerOutcome>;
