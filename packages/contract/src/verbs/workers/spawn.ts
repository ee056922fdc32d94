import * as z from "zod";
import { Worktree, WorktreeChanges } from "../../events/families/worktree.ts";
import { HARNESS_IDS } from "../../runs/harness-names.ts";
import { PERMISSION_MODES } from "../../permissions/permission-table.ts";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields, Count } from "../../verb/output-parts.ts";
import { TROUBLE_ACTIONS, WORKER_STATES } from "../../workers/worker-words.ts";
import { COMPLETIONS } from "../../workers/worker-record.ts";

const action = (when: string) => z.enum(TROUBLE_ACTIONS).optional().describe(`What the daemon does when ${when}.`);
const many = (description: string) => z.array(z.string().min(1)).optional().describe(description).meta({ whole: true });

const input = z.object({
  mission: z
    .string()
    .optional()
    .describe("Task for the worker; without it, or with -, standard input is read.")
    .meta({ positional: 0 }),
  harness: z
    .enum(["auto", ...HARNESS_IDS])
    .default("auto")
    .describe("Agent to run; auto is claude-code or codex where one is installed, else claw."),
  interactive: z.boolean().default(false).describe("Run the agent in a terminal that you can open with claw attach."),
  name: z.string().min(1).optional().describe("Name of the worker; without it, claw chooses one."),
  model: z.string().min(1).optional().describe("Model for the agent; by default the agent chooses."),
  worktree: z.boolean().default(false).describe("Give the worker its own git worktree and branch."),
  include: many("File or folder outside of git to copy into the worktree; repeatable."),
  setup: many("Command that prepares the worktree; repeatable."),
  teardown: many("Command to run before the worktree is removed; repeatable."),
  budgetUsd: z.number().min(0).optional().describe("US dollars for the worker and the workers it starts."),
  budgetTokens: z.int().min(0).optional().describe("Tokens for the worker and the workers it starts."),
  check: many("Command that checks whether the work is done; repeatable."),
  scenario: z.string().min(1).optional().describe("Scenario for the fake agent: a name or a file."),
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
  on: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .optional()
    .describe("Machine of the cluster that runs the worker, in its daemon's folder; any is the one with most room."),
  parent: z.string().min(1).optional().describe("Worker or peer that this worker works for."),
  onStale: action("the worker is silent"),
  onHung: action("the worker makes no progress"),
  onCrash: action("the worker's process ends before its work is done"),
  restarts: z.int().min(0).max(1000).optional().describe("How often the worker is started again within an hour."),
  wait: z
    .enum(["boot", "complete", "verified", "none"])
    .default("boot")
    .describe("When to return: after the start, after the end and the checks, only if the checks passed, or at once."),
});

const CheckRun = z.object({
  command: z.string().describe("Command of the check."),
  passed: z.boolean(),
  exit_code: z.int().nullable().describe("Null when the command did not exit by itself."),
  output_path: z.string().nullable().describe("File with the output of the command."),
});

export const spawn = defineVerb({
  name: "spawn",
  group: "start",
  rank: 6,
  summary: "Start a worker: an agent that the daemon watches, checks and restarts.",
  input,
  output: z.object({
    peer_id: z.string().describe("Id of the worker; empty in a dry run."),
    name: z.string(),
    pid: Count,
    harness: z.enum(HARNESS_IDS).describe("Agent that the worker runs."),
    state: z.enum(WORKER_STATES).describe("State of the worker so far."),
    terminal_id: z.string().nullable().describe("Terminal of the agent; known when the call waited for it."),
    result: z.string().nullable().describe("Result that the worker reported, when the call waited for it."),
    summary: z.string().nullable().describe("Summary that the worker reported."),
    completion: z.enum(COMPLETIONS).nullable().describe("State of the worker's result, when the call waited for it."),
    checks: z.array(CheckRun).describe("Checks that ran while the call waited."),
    worktree: Worktree.nullable(),
    changes: WorktreeChanges.nullable().describe("Changes in the worker's worktree, when the call waited for its end."),
    folder: z.string().describe("Folder for the files that the worker needs and leaves."),
    machine: z.string().optional().describe("The machine that it runs on, in a cluster."),
    ...changeFields,
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
      description: "The installed agent, in its own worktree",
      command: `claw spawn --worktree "fix the failing test"`,
    },
    {
      description: "Done only when the tests pass, for two dollars at most",
      command: `claw spawn --check "npm test" --budget-usd 2 "add a changelog"`,
    },
    {
      description: "Fail unless the check passes on the worker's result",
      command: "claw spawn --harness fake --check 'test -d .' --wait verified 'try it'",
    },
    {
      description: "In a terminal; open it with claw attach reviewer",
      command: `claw spawn --interactive --name reviewer "review the last commit"`,
    },
    {
      description: "On the machine of the cluster with the most room",
      command: `claw spawn --on any "fix the failing test"`,
    },
    {
      description: "A worker that plays a scenario to its end, at no cost",
      command: "claw spawn --harness fake --scenario tools --wait complete 'try it'",
    },
  ],
});
