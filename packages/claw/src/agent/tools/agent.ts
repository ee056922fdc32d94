import { LIMITS } from "claw-contract";
import * as z from "zod";
import type { ToolCall, ToolOutput } from "./tool.ts";
import { defineTool } from "./tool.ts";

/** What a sub-agent is to do. */
export interface SubTask {
  readonly prompt: string;
  /** The model of the sub-agent; null for the model of its parent. */
  readonly model: string | null;
}

/** How a sub-agent came to its end. */
export interface SubResult {
  readonly message: string;
  readonly stopReason: string;
}

/** Runs a sub-agent with the permissions, limits and budget of its parent. A sub-agent cannot start sub-agents. */
export type RunSubTask = (task: SubTask, call: ToolCall, signal: AbortSignal) => Promise<SubResult>;

const input = z.object({
  description: z.string().optional().describe("What it is about, in a few words."),
  prompt: z.string().min(1).describe("Everything the sub-agent needs to know: it sees nothing of this conversation."),
  model: z.string().min(1).optional().describe("Model to use in place of yours."),
});

type Input = z.infer<typeof input>;

function subAgentOutput({ message, stopReason }: SubResult): ToolOutput {
  if (stopReason === "completed") return { output: message === "" ? "(it said nothing)" : message, isError: false };
  const limit = stopReason === "max_turns_reached" ? `${LIMITS.subAgentRequests} requests` : "the budget";
  return { output: `${message}\n\n(The sub-agent was stopped: ${limit} used up.)`.trim(), isError: true };
}

/** A second conversation that works on one part and reports back. */
export const createAgentTool = (run: RunSubTask) =>
  defineTool<Input>({
    name: "agent",
    aliases: ["Agent", "AgentTool", "Task", "TaskTool"],
    responsibility: "Lets a sub-agent work on a part of the task and report back.",
    description:
      "Starts a sub-agent on a task of its own and returns its final report. It has your tools and permissions but sees nothing of this conversation, so put everything it needs into the prompt. Good for searches and other work whose steps you do not need to see.",
    sourceHint: "docs/agent/tools.md#agent",
    input,
    mainField: "prompt",
    readOnly: false,
    need: () => ({ kind: "nothing" }),
    subject: ({ prompt }) => prompt,
    run: async ({ prompt, model }, call, signal) =>
      subAgentOutput(await run({ prompt, model: model ?? null }, call, signal)),
  });
