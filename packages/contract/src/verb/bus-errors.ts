import type { ErrorCode } from "../errors/errors.ts";

/** What a verb can answer that asks the bus of the folder. */
export const BUS_ERRORS = [
  "DAEMON_NOT_RUNNING",
  "BUS_INCOMPATIBLE",
  "BUS_REFUSED",
  "BUS_UNREACHABLE",
  "TOKEN_INVALID",
  "TOKEN_MISSING",
] as const satisfies readonly ErrorCode[];
