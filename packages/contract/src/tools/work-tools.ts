import * as z from "zod";
import { PERMISSION_MODES } from "../permissions/permission-table.ts";
import { HARNESS_IDS } from "../runs/harness-names.ts";
import { defineTool } from "./define-tool.ts";
import { ToolOutcome, ToolWorker, WaitSeconds } from "./tool-parts.ts";

const Harness = z.enum(["auto", ...HARNESS_IDS]).optional();
const Checks = z.array(z.string().min(1)).optional();

export const runTool = defineTool({
  name: "claws_run",
  title: "Run workers",
  description:
    "Start one worker (mission) or several in parallel (workers), each a coding agent. Returns when they are done, need an answer, or after wait_seconds; then go on with claws_wait.",
  input: z.strictObject({
    mission: z.string().min(1).optional().describe("The task, complete: a worker knows nothing else"),
    workers: z
      .array(
        z.strictObject({
          mission: z.string().min(1),
          name: z.string().min(1).optional(),
          harness: Harness,
          model: z.string().min(1).optional(),
          checks: Checks,
          budget_usd: z.number().min(0).optional(),
          on: z.string().min(1).optional(),
        }),
      )
      .min(1)
      .max(32)
      .optional()
      .describe("Members override those below"),
    name: z.string().min(1).optional(),
    harness: Harness.describe("Agent; auto takes what is installed"),
    model: z.string().min(1).optional(),
    worktree: z.boolean().optional().describe("Own git worktree each; for parallel changes"),
    checks: Checks.describe("Commands that must pass, e.g. npm test"),
    budget_usd: z.number().min(0).optional(),
    permission_mode: z.enum(PERMISSION_MODES).optional(),
    on: z.string().min(1).optional().describe("Machine of the cluster, or any"),
    wait_seconds: WaitSeconds.describe("Default 45; 0 returns after the start"),
  }),
  output: ToolOutcome,
  effect: {},
});

export const waitTool = defineTool({
  name: "claws_wait",
  title: "Wait for workers",
  description:
    "Wait until the workers are done or one needs an answer, at most wait_seconds. Call it again with the cursor: nothing is lost or told twice.",
  input: z.strictObject({
    workers: z.array(ToolWorker).optional().describe("Default: those you started"),
    cursor: z.string().optional(),
    wait_seconds: WaitSeconds.describe("Default 45"),
  }),
  output: ToolOutcome,
  effect: { reads: true, repeatable: true },
});
