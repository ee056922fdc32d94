import type { ErrorCode } from "claw-contract";
import { ClawError } from "claw-contract";

const CODES: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: "DISK_FULL",
  EDQUOT: "DISK_FULL",
  EACCES: "FILE_ACCESS_DENIED",
  EPERM: "FILE_ACCESS_DENIED",
  EROFS: "READ_ONLY_FILESYSTEM",
};

/** Conditions that pass by themselves. */
const PASSING = new Set(["EAGAIN", "EBUSY", "EINTR", "EMFILE", "ENFILE", "ETXTBSY"]);

/** A file that was to be written to a missing folder can be written as soon as the folder is there. */
const isPassing = (errno: string, operation: string): boolean =>
  PASSING.has(errno) || (errno === "ENOENT" && operation === "write");

/** The errno name of a failed system call, or undefined for anything else. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return error.code;
}

/** A failed system call as a row of the catalogue. Anything that is no system call is returned as it is. */
export function fileError(error: unknown, operation: string, target: string): unknown {
  const errno = errnoOf(error);
  if (errno === undefined || error instanceof ClawError || !/^E[A-Z0-9]+$/.test(errno)) return error;
  const code = CODES[errno] ?? "FILESYSTEM_ERROR";
  return new ClawError(code, `cannot ${operation} ${target}: ${(error as Error).message.split(",")[0]}`, {
    operation,
    target,
    cause: error,
    ...(isPassing(errno, operation) ? { retryable: true } : {}),
    details: { errno },
  });
}

/** Runs file calls and reports their failure as a row of the catalogue. */
export function withFileErrors<T>(operation: string, target: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw fileError(error, operation, target);
  }
}

/** Runs file calls. Returns `otherwise` when the system refuses one of them; throws any other error. */
export function unlessRefused<Value, Other = undefined>(run: () => Value, otherwise?: Other): Value | Other {
  try {
    return run();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return otherwise as Other;
  }
}
