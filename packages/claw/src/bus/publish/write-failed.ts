import { ClawError } from "claw-contract";

/** The wire's word for an event that could not be stored. */
export const WRITE_FAILED = "event-log:write-failed";

/** Fields that a refusal adds when the disk is the reason: the code from the error catalogue. */
export const storageCode = (error: unknown): Readonly<Record<string, unknown>> =>
  error instanceof ClawError ? { code: error.code } : {};
