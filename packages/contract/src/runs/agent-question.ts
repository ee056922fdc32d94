import * as z from "zod";
import { HARNESS_IDS } from "./harness-names.ts";

const AnyFields = z.record(z.string(), z.unknown());

/** A request for which an agent waits. The program that answers reads the request as one line on stdin. */
export const AgentQuestion = z.object({
  id: z.union([z.string(), z.number()]).describe("The agent's own id of the request."),
  about: z
    .enum(["permission", "question", "elicitation"])
    .describe("May it use a tool; a question of the agent; a form of a tool server."),
  harness: z.enum(HARNESS_IDS),
  tool: z.string().describe("Tool it wants to use, or server that asks."),
  input: z.unknown().describe("What the tool would be given, the questions, or the schema of the form."),
  reason: z.string().describe("Why, in the agent's words; may be empty."),
  cwd: z.string().describe("Where the agent works."),
  event: AnyFields.describe("The request as the agent wrote it."),
});

export type AgentQuestion = z.infer<typeof AgentQuestion>;

/** The answer, as one JSON object. */
export const AgentAnswer = z.object({
  decision: z.enum(["allow", "deny"]),
  message: z.string().optional().describe("Why it is denied; the agent reads it."),
  input: AnyFields.optional().describe("What the tool is given instead."),
  answers: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .optional()
    .describe("Answers to the agent's questions, by the text or the id of each."),
  content: AnyFields.optional().describe("The form of a tool server, filled in."),
  interrupt: z.boolean().optional().describe("Denied, and the agent stops."),
});

export type AgentAnswer = z.infer<typeof AgentAnswer>;
