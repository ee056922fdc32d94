import * as z from "zod";
import { HARNESS_IDS } from "../../runs/harness-names.ts";
import { LIMITS } from "../../limits/limits.ts";
import { PERMISSION_MODES } from "../../permissions/permission-table.ts";
import { RunAnswer } from "../../runs/run-result.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { MutationEffect, WouldAffect } from "../../verb/output-parts.ts";

const input = z.object({
  prompt: z
    .string()
    .optional()
    .describe("Task for the agent; without it, or with -, standard input is read.")
    .meta({ positional: 0 }),
  harness: z
    .enum(["auto", ...HARNESS_IDS])
    .default("auto")
    .describe("Agent to run; auto is claude-code or codex where one is installed, else claw."),
  model: z
    .string()
    .min(1)
    .optional()
    .describe("Model for the agent; by default the agent chooses. The result names the model."),
  skill: z.string().min(1).optional().describe("Skill the prompt is for, by name."),
  scenario: z.string().min(1).optional().describe("Scenario for the fake agent: a name or a file."),
  idleTimeoutSeconds: z
    .number()
    .min(0)
    .default(LIMITS.runIdleSeconds)
    .describe("End the agent after this many seconds of silence; 0 means never."),
  env: z
    .array(z.string())
    .optional()
    .describe("NAME=VALUE sets a variable of the agent. NAME passes your own value on, secrets too.")
    .meta({ whole: true }),
  noApiKey: z.boolean().default(false).describe("Hide API keys from the agent, so that it uses its login."),
  syncTasks: z.boolean().default(false).describe("Keep Claude Code from working in the background."),
  noHangHeuristic: z
    .boolean()
    .default(false)
    .describe("Do not doubt a run because it ended with a question or left work behind."),
  permissionMode: z
    .enum(PERMISSION_MODES)
    .optional()
    .describe(
      "What the agent may do without asking; workspace-write by default. With --on-permission ask or command and without this flag, the agent asks before each change.",
    ),
  onPermission: z
    .enum(["deny", "ask", "command"])
    .default("deny")
    .describe("Answer to the agent's questions: always no, from the person here, or from --permission-command."),
  permissionCommand: z
    .string()
    .min(1)
    .optional()
    .describe("Shell command that gets a question as JSON on stdin and prints its answer."),
  permissionTimeoutSeconds: z
    .number()
    .min(0.1)
    .default(LIMITS.permissionSeconds)
    .describe("Seconds the command may take; then the answer is no."),
  transcript: z.string().min(1).optional().describe("File to write the agent's events to, one a line."),
  includeEvents: z
    .boolean()
    .default(false)
    .describe("Put the agent's events into the answer: raw_messages and stream_events."),
  subject: z.string().optional().describe("Name of the run in diagnostics."),
  yes: z.boolean().default(false).describe("Replace the transcript if it exists.").meta({ short: "y" }),
});

export const run = defineVerb({
  name: "run",
  group: "start",
  rank: 4,
  summary: "Run an agent on a prompt, to its end, and print its answer.",
  input,
  output: z.object({
    result: RunAnswer.nullable().describe("Result of the run; null in a dry run."),
    effect: MutationEffect.describe("An agent may change anything in its folder."),
    would_affect: WouldAffect,
    would_run: z.array(z.string()).optional().describe("In a dry run: the command, word by word."),
  }),
  stream: z.looseObject({ type: z.string() }),
  errors: [
    "CONFIRMATION_REQUIRED",
    "HARNESS_FAILED",
    "HARNESS_NOT_EXECUTABLE",
    "HARNESS_NOT_FOUND",
    "IDLE_TIMEOUT",
    "INTERACTIVE_ONLY",
    "INVALID_MODEL",
    "INVALID_OUTPUT_PATH",
    "MISSING_PROMPT",
    "RATE_LIMIT_EXCEEDED",
    "REQUEST_TOO_LARGE",
    "TOKEN_INVALID",
    "UPSTREAM_REJECTED",
    "UPSTREAM_UNAVAILABLE",
  ],
  effect: "write",
  unixOnly: true,
  unlimited: true,
  bulky: true,
  examples: [
    { description: "With the agent that is installed", command: 'claw run "explain this repository"' },
    {
      description: "In CI: a time limit, and one JSON answer",
      command: "claw run --harness codex --timeout-seconds 900 --output-format json < task.md",
    },
    {
      description: "Let the agent read, and change nothing",
      command: 'claw run --permission-mode read-only "review the last commit"',
    },
    {
      description: "Let a program decide what the agent may do",
      command: "claw run 'fix it' --on-permission command --permission-command ./policy.sh",
    },
  ],
});
