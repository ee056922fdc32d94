import * as z from "zod";
import type { ErrorCode } from "../errors.ts";
import { BUS_ERRORS } from "./bus-errors.ts";
import { MutationEffect, WouldAffect } from "./output-parts.ts";

/** What every change of something on the bus says of itself. */
export const changeFields = { effect: MutationEffect, would_affect: WouldAffect };

/** Naming a terminal: its id, its name, or the worker in it. */
export const TerminalRef = z.string().min(1).max(256).describe("Terminal by its id or name, or by the worker in it.");

/** What a verb can answer that changes something on the bus. */
export const BUS_CHANGE_ERRORS = [
  ...BUS_ERRORS,
  "PUBLISH_FORBIDDEN",
  "PUBLISH_INVALID",
  "PUBLISH_NOT_STORED",
] as const satisfies readonly ErrorCode[];
