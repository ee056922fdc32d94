import { ClawError } from "claw-contract";
import type { Judge } from "../permissions/permission.ts";
import type { McpPrompt } from "./mcp-prompts.ts";

/**
 * The same prompt, but `get` rejects with PERMISSION_DENIED when a rule denies the prompt. The decision `ask` counts as
 * allowed, because a person called the prompt.
 */
export const judgedPrompt = (prompt: McpPrompt, judge: Judge): McpPrompt => ({
  ...prompt,
  get: async (words, signal) => {
    const need = { kind: "foreign", mode: "read-only" } as const;
    const { decision, reason } = judge.judge({ tool: prompt.name, need, subject: words });
    if (decision !== "deny") return prompt.get(words, signal);
    throw new ClawError("PERMISSION_DENIED", reason, { operation: "judge", target: prompt.name });
  },
});
