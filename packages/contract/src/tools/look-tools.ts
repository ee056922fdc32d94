import * as z from "zod";
import { WORKER_STATES } from "../workers/worker-words.ts";
import { defineTool } from "./define-tool.ts";
import { ToolWorker, ToolWorkerRow } from "./tool-parts.ts";

export const workersTool = defineTool({
  name: "claws_workers",
  title: "List workers",
  description: "List workers: state, its reason, cost, what waits for an answer.",
  input: z.strictObject({
    fleet: z.string().optional(),
    state: z.array(z.enum(WORKER_STATES)).optional(),
    all: z.boolean().optional().describe("Also those that ended a while ago"),
    cursor: z.string().optional(),
  }),
  output: z.object({
    workers: z.array(ToolWorkerRow),
    total: z.number(),
    waiting: z.number().describe("How many wait for an answer"),
    cursor: z.string().optional(),
  }),
  effect: { reads: true, repeatable: true },
});

export const showTool = defineTool({
  name: "claws_show",
  title: "Show a worker",
  description: "Show one worker: mission, state and its last changes, checks, cost, worktree, children.",
  input: z.strictObject({ worker: ToolWorker }),
  output: z.object({
    worker: ToolWorkerRow,
    changes: z.array(z.looseObject({ state: z.string(), reason: z.string() })),
    children: z.array(ToolWorkerRow),
  }),
  effect: { reads: true, repeatable: true },
});

export const logTool = defineTool({
  name: "claws_log",
  title: "Read a worker's log",
  description: "Read what a worker did, or what a terminal printed: the newest part, or the part from an offset on.",
  input: z.strictObject({
    worker: ToolWorker,
    offset: z.int().min(0).optional(),
    max_chars: z.int().min(1).max(40_000).optional().describe("Default 8000"),
  }),
  output: z.object({
    text: z.string(),
    offset: z.number(),
    next_offset: z.number(),
    more: z.boolean(),
    state: z.string().nullable(),
  }),
  effect: { reads: true, repeatable: true },
});

export const diffTool = defineTool({
  name: "claws_diff",
  title: "Show a worker's changes",
  description: "Show what a worker changed in its worktree: files, and the diff in parts.",
  input: z.strictObject({
    worker: ToolWorker,
    stat: z.boolean().optional().describe("Files only"),
    cursor: z.string().optional(),
  }),
  output: z.object({
    worker: z.string(),
    branch: z.string().nullable(),
    files: z.array(z.object({ path: z.string(), insertions: z.number().nullable(), deletions: z.number().nullable() })),
    diff: z.string(),
    cursor: z.string().optional(),
  }),
  effect: { reads: true, repeatable: true },
});
