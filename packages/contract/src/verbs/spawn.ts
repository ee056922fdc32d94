import * as z from "zod";
import { Worktree, WorktreeChanges } from "../events/supervision.ts";
import { HARNESS_IDS } from "../harness-names.ts";
import { PERMISSION_MODES } from "../permission-modes.ts";
import { BUS_ERRORS } from "../verb/bus-errors.ts";
import { defineVerb } from "../verb/define-verb.ts";
import { Count, MutationEffect, WouldAffect } from "../verb/output-parts.ts";
import { TROUBLE_ACTIONS, WORKER_STATES } from "../worker-words.ts";

const action = (when: string) => z.enum(TROUBLE_ACTIONS).optional().describe(`What is done when ${when}.`);
const many = (description: string) => z.array(z.string().min(1)).optional().describe(description).meta({ whole: true });

const input = z.object({
  mission: z
    .string()
    .optional()
    .describe("What the worker is to do; without it, or with -, it is read from standard input.")
    .meta({ positional: 0 }),
  harness: z.enum(HARNESS_IDS).default("claude-code").describe("Agent it runs."),
  interactive: z.boolean().default(false).describe("Run it in a terminal, where people can look on and join in."),
  name: z.string().min(1).optional().describe("Its name among the workers that run; one is found without."),
  model: z.string().min(1).optional().describe("Model the agent is to use; its own choice by default."),
  worktree: z.boolean().default(false).describe("Let it work in a git worktree and on a branch of its own."),
  include: many("File or folder that git does not know to bring along into the worktree; repeatable."),
  setup: many("Command that makes the worktree ready; repeatable."),
  teardown: many("Command to run before the worktree is removed; repeatable."),
  budgetUsd: z.number().min(0).optional().describe("What it may spend in US dollars, its own workers included."),
  budgetTokens: z.int().min(0).optional().describe("The same in tokens."),
  check: many("Command that shows whether its work is done; repeatable."),
  scenario: z.string().min(1).optional().describe("What the fake agent plays: a name or a file."),
  permissionMode: z.enum(PERMISSION_MODES).optional().describe("What it may do without asking."),
  env: many("NAME=VALUE sets a variable of the agent; NAME hands ours on. Repeatable."),
  parent: z.string().min(1).optional().describe("Worker or peer it works for."),
  onStale: action("nothing is heard of it"),
  onHung: action("it lives and gets nowhere"),
  onCrash: action("its process ends before its work is done"),
  restarts: z.int().min(0).max(1000).optional().describe("How often it is started anew within an hour."),
  wait: z.enum(["boot", "complete", "none"]).default("boot").describe("How far it has to be before this returns."),
});

export const spawn = defineVerb({
  name: "spawn",
  group: "start",
  rank: 6,
  summary: "Start a worker: an agent on a mission, looked after by the daemon.",
  input,
  output: z.object({
    peer_id: z.string().describe("Its id; empty in a dry run."),
    name: z.string(),
    pid: Count,
    state: z.enum(WORKER_STATES).describe("What is known of it so far."),
    terminal_id: z.string().nullable().describe("Terminal its agent runs in, when it was waited for."),
    result: z.string().nullable().describe("How it says it ended, when it was waited for."),
    summary: z.string().nullable().describe("What it says it did."),
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
    { description: "Claude Code, in a worktree of its own", command: `claw spawn --worktree "fix the failing test"` },
    {
      description: "Done only when the tests pass, for two dollars at most",
      command: `claw spawn --check "npm test" --budget-usd 2 "add a changelog"`,
    },
    {
      description: "In a terminal, to look on and join in: claw attach reviewer",
      command: `claw spawn --interactive --name reviewer "review the last commit"`,
    },
    {
      description: "A worker that costs nothing, until it is done",
      command: "claw spawn --harness fake --scenario tools --wait complete 'try it'",
    },
  ],
});
