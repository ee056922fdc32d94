import * as z from "zod";
import type { ErrorCode } from "../errors/errors.ts";
import { COMMAND_STEPS } from "../events/families/system.ts";
import { COMMAND_ROUTES, EVIDENCE_KINDS } from "../workers/worker-words.ts";
import { changeFields, Count } from "./output-parts.ts";

/** Reference to a worker: the id or the name. */
export const WorkerRef = z.string().min(1).max(256);

/** The step a command must reach before the verb answers. */
export const CommandWait = z.enum(["none", "accepted", "queued", "submitted", "acked", "applied"]);

/** One step of a command, with the evidence. */
const CommandRung = z.object({
  step: z.enum(COMMAND_STEPS),
  ts: z.string(),
  route: z.enum(COMMAND_ROUTES).nullable(),
  evidence: z.object({ kind: z.enum(EVIDENCE_KINDS), value: z.union([z.string(), z.number()]) }).nullable(),
  deadline: z.string().nullable().describe("When the command expires, unless it reaches the next step before."),
  reason: z.string().optional(),
});

/** A command, the worker, and the steps taken so far. */
export const CommandOutcome = z.object({
  worker: z.string().nullable().describe("Id of the worker; null for a terminal without one."),
  name: z.string(),
  command_id: z.string().nullable(),
  sequence: Count.describe("Place of the command in the log."),
  step: z.enum(COMMAND_STEPS).nullable().describe("Last step reached; null when the call did not wait."),
  steps: z.array(CommandRung),
  busy: z.boolean().optional().describe("Whether the worker's agent was working when the command came."),
  ahead: Count.optional().describe("Commands that waited for the worker before this one."),
  ...changeFields,
});

/** Error codes of every verb that sends a command. */
export const COMMAND_ERRORS = [
  "DAEMON_NOT_RUNNING",
  "WORKER_NOT_FOUND",
  "WORKER_ENDED",
  "COMMAND_EXPIRED",
  "COMMAND_REFUSED",
  "PUBLISH_NOT_STORED",
  "BUS_INCOMPATIBLE",
  "BUS_REFUSED",
  "BUS_UNREACHABLE",
  "MACHINE_AWAY",
  "PROTOCOL_MISMATCH",
  "TOKEN_INVALID",
  "TOKEN_MISSING",
] as const satisfies readonly ErrorCode[];
