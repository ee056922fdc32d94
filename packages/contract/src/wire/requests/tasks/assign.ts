import * as z from "zod";
import { defineRequest, refusedAs, Word } from "../../define-request.ts";

const REQUIRED = "title, assignee, and prompt are required";

export const assignTaskRequest = defineRequest({
  name: "task.assign",
  summary: "Assigns a task to a connected peer.",
  from: ["orchestrator"],
  effect: "write",
  routedBy: { names: "peer", field: "assignee" },
  request: z.object({
    title: refusedAs(Word, REQUIRED).describe("What the task is called."),
    assignee: refusedAs(Word, REQUIRED).describe("Peer id of the peer that gets the task."),
    prompt: refusedAs(Word, REQUIRED).describe("What the peer is to do."),
    deliver: refusedAs(z.enum(["publish", "inject", "both"]), "deliver has to be publish, inject or both")
      .default("publish")
      .describe("Whether the task is published, typed into the peer's terminal, or both."),
    timeoutMs: refusedAs(z.number().positive(), "timeoutMs has to be a positive number")
      .optional()
      .describe("After this time without completion the task fails."),
  }),
  reply: z.object({ taskId: z.string(), assignedAt: z.number().describe("Milliseconds.") }),
});
