import * as z from "zod";
import type { ErrorCode } from "../errors/errors.ts";
import { Timestamp } from "./output-parts.ts";
import { ROLES } from "../events/fields.ts";

/** What a verb can answer that asks the bus of the folder. */
export const BUS_ERRORS = [
  "DAEMON_NOT_RUNNING",
  "BUS_INCOMPATIBLE",
  "BUS_REFUSED",
  "BUS_UNREACHABLE",
  "MACHINE_AWAY",
  "PROTOCOL_MISMATCH",
  "TOKEN_INVALID",
  "TOKEN_MISSING",
] as const satisfies readonly ErrorCode[];

/** Reference to a terminal: the id, the name, or the worker in the terminal. */
export const TerminalRef = z.string().min(1).max(256).describe("Terminal by its id or name, or by the worker in it.");

/** Error codes of the verbs that change the bus. */
export const BUS_CHANGE_ERRORS = [
  ...BUS_ERRORS,
  "PUBLISH_FORBIDDEN",
  "PUBLISH_INVALID",
  "PUBLISH_NOT_STORED",
] as const satisfies readonly ErrorCode[];

/** The mission of a workspace, as older clients know it. */
export const Mission = z.looseObject({
  phase: z.string(),
  plan: z.string().nullable().optional(),
  mission_n: z.int().optional(),
});

/** A pipeline of joined terminals. */
export const PipelineEntry = z.object({
  pipeline_id: z.string(),
  name: z.string(),
  state: z.string(),
  created_at: z.string(),
  steps: z.array(z.object({ step_id: z.string(), role: z.enum(["source", "sink"]), terminal_id: z.string() })),
});

/** Naming a task. */
export const TaskRef = z.string().min(1).max(100).describe("Id of the task, from tasks list.");

/** Role that a token gives to the bearer. */
export const TokenRole = z.enum(ROLES);

/** The record of a token without the secret: the secret is shown once, when the token is made. */
export const TokenEntry = z.object({
  token_id: z.string(),
  role: TokenRole,
  peer: z.string().nullable().describe("The only peer name that the bearer may use; null when any name is allowed."),
  browser: z.string().nullable().describe("The browser whose session on the page it is; null for a token of a client."),
  created_at: Timestamp,
  expires_at: Timestamp,
});
