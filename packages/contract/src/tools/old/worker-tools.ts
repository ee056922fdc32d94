import * as z from "zod";
import { defineTool } from "../define-tool.ts";
import { OldSpawned } from "./terminal-tools.ts";

/** Options of older servers about how a terminal is watched. claw watches workers without them. */
const Ignored = {
  launch_claude: z.boolean().optional().describe("Ignored."),
  boot_wait_ms: z.number().optional().describe("Ignored."),
  boot_marker: z.string().optional().describe("Ignored."),
  complete_marker: z.string().optional().describe("Ignored."),
  error_markers: z.array(z.string()).optional().describe("Ignored."),
  poll_interval_ms: z.number().optional().describe("Ignored."),
  harvest_lines: z.number().optional().describe("Ignored."),
  close_on_complete: z.boolean().optional().describe("Ignored."),
};

const Mission = {
  mission: z.string().min(1).optional().describe("What the worker is to do."),
  command: z.string().min(1).optional().describe("A shell command, run in a terminal, instead of a mission."),
  cwd: z.string().optional(),
  model: z.string().optional(),
};

const Detach = z.boolean().optional().describe("Return after the start; true by default.");

const Waited = z.looseObject({ terminal_id: z.string(), status: z.string() });

export const WORKER_TOOLS = {
  claws_worker: defineTool({
    name: "claws_worker",
    title: "Start a worker",
    description: "Start one worker under a name, with a mission or a shell command.",
    input: z.object({
      name: z.string().min(1),
      ...Mission,
      detach: Detach,
      timeout_ms: z.number().positive().optional(),
      ...Ignored,
    }),
    output: OldSpawned.extend({ status: z.string(), hint: z.string() }),
    effect: {},
  }),
  claws_fleet: defineTool({
    name: "claws_fleet",
    title: "Start workers",
    description: "Start several workers in parallel. What stands beside workers holds for each of them.",
    input: z.object({
      workers: z
        .array(z.strictObject({ name: z.string().min(1), ...Mission, ...Ignored }))
        .min(1)
        .max(32),
      cwd: Mission.cwd,
      model: Mission.model,
      detach: Detach,
      timeout_ms: z.number().positive().optional(),
      ...Ignored,
    }),
    output: z.object({
      fleet_size: z.number(),
      detach: z.boolean(),
      wall_clock_ms: z.number(),
      workers: z.array(OldSpawned.extend({ status: z.string() })),
    }),
    effect: {},
  }),
  claws_workers_wait: defineTool({
    name: "claws_workers_wait",
    title: "Wait for workers",
    description: "Wait until workers have ended, at most 45 seconds a call.",
    input: z.object({
      terminal_ids: z
        .array(z.union([z.string().min(1), z.int()]))
        .min(1)
        .describe("Ids or names of workers."),
      timeout_ms: z.number().positive().optional(),
      min_complete: z.int().min(1).optional().describe("Return once so many have ended."),
      complete_marker: Ignored.complete_marker,
      error_markers: Ignored.error_markers,
      poll_interval_ms: Ignored.poll_interval_ms,
    }),
    output: z.object({
      ok: z.boolean(),
      complete: z.number(),
      target: z.number(),
      total: z.number(),
      wall_clock_ms: z.number(),
      pending: z.array(z.string()),
      results: z.array(Waited),
    }),
    effect: { reads: true, repeatable: true },
  }),
  claws_dispatch_subworker: defineTool({
    name: "claws_dispatch_subworker",
    title: "Start a part of a wave",
    description: "Start the worker that takes one part in a wave.",
    input: z.object({
      waveId: z.string().min(1),
      role: z.string().min(1),
      mission: z.string().min(1),
      cwd: z.string().optional(),
    }),
    output: OldSpawned.extend({ waveId: z.string(), role: z.string() }),
    effect: {},
  }),
  claws_set_bin: defineTool({
    name: "claws_set_bin",
    title: "Choose the agent",
    description: "Choose the agent for claws_worker and claws_fleet: claude, codex, claw, fake, or none for auto.",
    input: z.object({ name: z.string().optional() }),
    output: z.object({ bin: z.string() }),
    effect: { repeatable: true },
  }),
  claws_get_bin: defineTool({
    name: "claws_get_bin",
    title: "Which agent",
    description: "Say which agent claws_worker and claws_fleet start.",
    input: z.object({}),
    output: z.object({ bin: z.string() }),
    effect: { reads: true, repeatable: true },
  }),
} as const;
