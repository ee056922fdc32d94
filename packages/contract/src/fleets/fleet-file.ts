import * as z from "zod";
import { HARNESS_IDS } from "../runs/harness-names.ts";
import { PERMISSION_MODES } from "../permissions/permission-table.ts";
import { TROUBLE_ACTIONS } from "../workers/worker-words.ts";
import { FLEET_LIMITS } from "./check-fleet.ts";

const FLEET_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const name = (what: string) =>
  z.string().regex(FLEET_NAME, `${what} has letters, digits, dots, dashes and underscores, at most 64`);

const Budget = z
  .strictObject({ usd: z.number().positive().optional(), tokens: z.int().positive().optional() })
  .refine(({ usd, tokens }) => usd !== undefined || tokens !== undefined, "a budget names usd, tokens, or both");

const Commands = z.array(z.string().min(1)).max(FLEET_LIMITS.workers);
const Worktree = z.union([
  z.boolean(),
  z.strictObject({ include: Commands.optional(), setup: Commands.optional(), teardown: Commands.optional() }),
]);

const Action = z.enum(TROUBLE_ACTIONS);

/** Settings of one worker; `defaults` sets them for all workers. */
const settings = {
  harness: z.enum(HARNESS_IDS).optional(),
  model: z.string().min(1).optional(),
  cwd: z.string().min(1).optional(),
  worktree: Worktree.optional(),
  checks: Commands.optional(),
  budget: Budget.optional(),
  permission_mode: z.enum(PERMISSION_MODES).optional(),
  env: z.record(z.string().min(1), z.string()).optional(),
  scenario: z.string().min(1).optional(),
  on_stale: Action.optional(),
  on_hung: Action.optional(),
  on_crash: Action.optional(),
  restarts: z.int().min(0).max(100).optional(),
};

const Worker = z.strictObject({
  name: name("a worker's name"),
  mission: z.string().trim().min(1, "the worker needs a mission"),
  needs: z.array(z.string()).max(FLEET_LIMITS.workers).default([]),
  ...settings,
});

export const FleetFile = z.strictObject({
  name: name("a fleet's name"),
  defaults: z.strictObject(settings).default({}),
  budget: Budget.optional(),
  concurrency: z.int().min(1).max(FLEET_LIMITS.workers).default(FLEET_LIMITS.concurrency),
  workers: z.array(Worker).min(1, "a fleet has at least one worker").max(FLEET_LIMITS.workers),
});
export type FleetFile = z.infer<typeof FleetFile>;
export type FleetFileWorker = FleetFile["workers"][number];
