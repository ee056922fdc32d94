import * as z from "zod";
import { Worktree, WorktreeChanges } from "../../events/families/worktree.ts";
import { HARNESS_IDS } from "../../runs/harness-names.ts";
import { PERMISSION_MODES } from "../../permissions/permission-modes.ts";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count, MutationEffect, WouldAffect } from "../../verb/output-parts.ts";
import { TROUBLE_ACTIONS, WORKER_STATES } from "../../workers/worker-words.ts";
import { COMPLETIONS } from "../../workers/worker-record.ts";

const action = (when: string) => z.enum(TROUBLE_ACTIONS).optional().describe(`What the daemon does when ${when}.`);
const many = (description: string) => z.array(z.string().min(1)).optional().describe(description).meta({ whole: true });

const input = z.object({
  mission: z
    .string()
    .optional()
    .describe("What the worker is to do; without it, or with -, it is read from standard input.")
    .meta({ positional: 0 }),
  harness: z
    .enum(["auto", ...HARNESS_IDS])
    .default("auto")
    .describe("Agent to run; auto is claude-code or codex where one is installed, else claw."),
  interactive: z.boolean().default(false).describe("Run it in a terminal that you can open with claw attach."),
  name: z.string().min(1).optional().describe("Name of the worker; without it, claw chooses one."),
  model: z.string().min(1).optional().describe("Model the agent is to use; its own choice by default."),
  worktree: z.boolean().default(false).describe("Let it work in its own git worktree, on its own branch."),
  include: many("File or folder outside of git to copy into the worktree; repeatable."),
  setup: many("Command that prepares the worktree; repeatable."),
  teardown: many("Command to run before the worktree is removed; repeatable."),
  budgetUsd: z.number().min(0).optional().describe("US dollars it may spend, together with the workers it starts."),
  budgetTokens: z.int().min(0).optional().describe("Tokens it may use, together with the workers it starts."),
  check: many("Command that shows whether its work is done; repeatable."),
  scenario: z.string().min(1).optional().describe("What the fake agent plays: a name or a file."),
  permissionMode: z.enum(PERMISSION_MODES).optional().describe("What the agent may do without asking."),
  trustFolder: z
    .boolean()
    .default(false)
    .describe("Record in the agent's own file that it may trust this folder; for --interactive."),
  useApiKey: z
    .boolean()
    .default(false)
    .describe("Record in Claude Code's own file that it may use ANTHROPIC_API_KEY; for --interactive."),
  env: many("NAME=VALUE sets a variable of the agent; NAME passes your own value on. Repeatable."),
  parent: z.string().min(1).optional().describe("Worker or peer that this worker works for."),
  onStale: action("the worker is silent"),
  onHung: action("the worker runs without getting further"),
  onCrash: action("the worker's process ends before its work is done"),
  restarts: z.int().min(0).max(1000).optional().describe("How often the worker is started again within an hour."),
  wait: z
    .enum(["boot", "complete", "verified", "none"])
    .default("boot")
    .describe("Return when it has started, has finished and its checks ran, when they passed, or at once."),
});

const CheckRun = z.object({
  command: z.string().describe("What was run."),
  passed: z.boolean(),
  exit_code: z.int().nullable().describe("Null when it did not come to its exit."),
  output_path: z.string().nullable().describe("File with all it printed."),
});

export const spawn = defineVerb({
  name: "spawn",
  group: "start",
  rank: 6,
  summary: "Start a worker: an agent that the daemon watches, checks and restarts.",
  input,
  output: z.object({
    peer_id: z.string().describe("Its id; empty in a dry run."),
    name: z.string(),
    pid: Count,
    harness: z.enum(HARNESS_IDS).describe("Agent it runs."),
    state: z.enum(WORKER_STATES).describe("What is known of it so far."),
    terminal_id: z.string().nullable().describe("Terminal its agent runs in, when it was waited for."),
    result: z.string().nullable().describe("How it says it ended, when it was waited for."),
    summary: z.string().nullable().describe("What it says it did."),
    completion: z.enum(COMPLETIONS).nullable().describe("What became of its result, when it was waited for."),
    checks: z.array(CheckRun).describe("Checks that were run while it was waited for."),
    worktree: Worktree.nullable(),
    changes: WorktreeChanges.nullable().describe("What it changed in its worktree, when it was waited for."),
    folder: z.string().describe("Where what it needs and leaves is kept."),
    effect: MutationEffect,
    would_affect: WouldAffect,
  }),
  errors: [
    ...BUS_ERRORS,
    "BUDGET_EXCEEDED",
    "BUDGET_UNMEASURABLE",
    "FAKE_SCENARIO_INVALID",
    "FAKE_SCENARIO_NOT_FOUND",
    "FILESYSTEM_ERROR",
    "HARNESS_NOT_EXECUTABLE",
    "HARNESS_NOT_FOUND",
    "INVALID_MODEL",
    "MISSING_PROMPT",
    "NOT_A_REPOSITORY",
    "PERMISSION_DENIED",
    "PUBLISH_NOT_STORED",
    "REQUEST_TOO_LARGE",
    "WORKER_ABORTED",
    "WORKER_FAILED",
    "WORKER_NAME_TAKEN",
    "WORKER_NOT_FOUND",
    "WORKTREE_FAILED",
  ],
  effect: "write",
  unlimited: true,
  examples: [
    {
      description: "The agent that is installed, in a worktree of its own",
      command: `claw spawn --worktree "fix the failing test"`,
    },
    {
      description: "Done only when the tests pass, for two dollars at most",
      command: `claw spawn --check "npm test" --budget-usd 2 "add a changelog"`,
    },
    {
      description: "Fails unless the check passes on what the worker left",
      command: "claw spawn --harness fake --check 'test -d .' --wait verified 'try it'",
    },
    {
      description: "In a terminal; open it with claw attach reviewer",
      command: `claw spawn --interactive --name reviewer "review the last commit"`,
    },
    {
      description: "A worker that plays a scenario and costs nothing, to its end",
      command: "claw spawn --harness fake --scenario tools --wait complete 'try it'",
    },
  ],
});
