import * as z from "zod";
import { defineTool } from "./define-tool.ts";

export const publishTool = defineTool({
  name: "claws_publish",
  title: "Publish an event",
  description: "Publish an event, e.g. topic cmd.<worker id>.approve with payload {correlation_id, …}.",
  input: z.strictObject({
    topic: z.string().min(1),
    payload: z.unknown().optional().describe("JSON"),
    echo: z.boolean().optional().describe("Ignored"),
  }),
  output: z.object({ topic: z.string(), sequence: z.number(), cursor: z.string(), deliveredTo: z.number() }),
  effect: {},
});

export const eventsTool = defineTool({
  name: "claws_events",
  title: "Read events",
  description:
    "Read events from a cursor on, oldest first; with wait_seconds, wait for the first. No event is lost between calls.",
  input: z.strictObject({
    topics: z.array(z.string()).optional().describe("Patterns such as worker.** or system.*.left"),
    since: z.string().optional().describe("Cursor, time or age (10m); default: now"),
    limit: z.int().min(1).max(1000).optional().describe("Default 50"),
    wait_seconds: z.number().min(0).max(45).optional(),
  }),
  output: z.object({
    events: z.array(z.looseObject({ topic: z.string(), sequence: z.number() })),
    cursor: z.string(),
    more: z.boolean(),
  }),
  effect: { reads: true, repeatable: true },
});

export const budgetTool = defineTool({
  name: "claws_budget",
  title: "Budgets",
  description: "List budgets, or limit what a worker or a fleet may spend from now on.",
  input: z.strictObject({
    worker: z.string().optional(),
    fleet: z.string().optional(),
    usd: z.number().min(0).optional(),
    tokens: z.int().min(0).optional(),
  }),
  output: z.object({
    changed: z.boolean(),
    budgets: z.array(z.looseObject({ scope: z.string(), id: z.string().nullable() })),
  }),
  effect: { leads: true, repeatable: true },
});

export const doneTool = defineTool({
  name: "claws_done",
  title: "Finish",
  description: "Call it last: names your workers that still run, and ends them with abort.",
  input: z.strictObject({
    abort: z.boolean().optional().describe("End your workers"),
    summary: z.string().optional().describe("Reason for the workers"),
  }),
  output: z.object({
    ok: z.boolean(),
    running: z.array(z.string()),
    aborted: z.array(z.string()),
  }),
  effect: { destroys: true, repeatable: true },
});
