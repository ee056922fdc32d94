import * as z from "zod";
import { defineTool } from "./define-tool.ts";
import { ToolWorker } from "./tool-parts.ts";

export const sendTool = defineTool({
  name: "claws_send",
  title: "Send text",
  description: "Send a text to a worker's agent, as a follow-up; or type it into a terminal.",
  input: z.strictObject({
    id: z.string().min(1).describe("Worker, or terminal"),
    text: z.string().min(1),
    newline: z.boolean().optional().describe("Terminals: press Enter; default true"),
  }),
  output: z.object({ id: z.string(), step: z.string().describe("How far it got: queued … applied, or typed") }),
  effect: { leads: true },
});

export const approvalsTool = defineTool({
  name: "claws_approvals",
  title: "List open questions",
  description: "List questions of workers that wait for an answer, with their options.",
  input: z.strictObject({ worker: ToolWorker.optional(), cursor: z.string().optional() }),
  output: z.object({
    approvals: z.array(z.looseObject({ id: z.string(), worker: z.string(), message: z.string(), hash: z.string() })),
    cursor: z.string().optional(),
  }),
  effect: { reads: true, repeatable: true },
});

export const answerTool = defineTool({
  name: "claws_answer",
  title: "Answer a question",
  description: "Answer an open question of a worker. The first answer counts. Decide as the person you work for would.",
  input: z.strictObject({
    approval: z.string().min(1).describe("Its id"),
    decision: z.enum(["approve", "reject"]),
    hash: z.string().describe("From claws_approvals: what was asked"),
    choice: z.string().optional().describe("Id of an option"),
    reason: z.string().optional(),
  }),
  output: z.object({ approval: z.string(), decision: z.string(), effect: z.string() }),
  effect: { leads: true, destroys: true, repeatable: true },
});

export const controlTool = defineTool({
  name: "claws_control",
  title: "Pause, resume, abort",
  description: "Pause, resume or abort a worker. Abort ends it and keeps its work.",
  input: z.strictObject({
    worker: ToolWorker,
    action: z.enum(["pause", "resume", "abort"]),
    reason: z.string().optional(),
  }),
  output: z.object({ worker: z.string(), action: z.string(), step: z.string() }),
  effect: { leads: true, destroys: true },
});

export const reviewTool = defineTool({
  name: "claws_review",
  title: "Accept or send back",
  description: "Accept a worker's reported result, or send it back with what to change. Look at claws_diff first.",
  input: z.strictObject({
    worker: ToolWorker,
    decision: z.enum(["accept", "rework"]),
    message: z.string().optional().describe("Rework: what to change"),
    merge: z.boolean().optional().describe("Accept: merge its branch into yours"),
    force: z.boolean().optional().describe("Accept despite failed checks"),
  }),
  output: z.object({ worker: z.string(), decision: z.string(), effect: z.string() }),
  effect: { leads: true, destroys: true },
});
