import * as z from "zod";
import type { ErrorCode } from "../errors/errors.ts";
import { MutationEffect, WouldAffect } from "./output-parts.ts";

/** What a verb can answer that asks the bus of the folder. */
export const BUS_ERRORS = [
  "DAEMON_NOT_RUNNING",
  "BUS_INCOMPATIBLE",
  "BUS_REFUSED",
  "BUS_UNREACHABLE",
  "TOKEN_INVALID",
  "TOKEN_MISSING",
] as const satisfies readonly ErrorCode[];

/** Output fields of every verb that changes the bus. */
export const changeFields = { effect: MutationEffect, would_affect: WouldAffect };

/** Reference to a terminal: the id, the name, or the worker in the terminal. */
export const TerminalRef = z.string().min(1).max(256).describe("Terminal by its id or name, or by the worker in it.");

/** Error codes of the verbs that change the bus. */
export const BUS_CHANGE_ERRORS = [
  ...BUS_ERRORS,
  "PUBLISH_FORBIDDEN",
  "PUBLISH_INVALID",
  "PUBLISH_NOT_STORED",
] as const satisfies readonly ErrorCode[];
