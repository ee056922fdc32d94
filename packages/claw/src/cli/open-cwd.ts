import { accessSync, constants, statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { ClawError } from "claw-contract";
import { errnoOf } from "../files/index.ts";

type Reason = "empty" | "not_found" | "not_a_directory" | "unreadable" | "not_utf8";

function cwdError(path: string, reason: Reason, cause?: unknown): ClawError {
  const shown = path.slice(0, 500);
  return new ClawError("INVALID_CWD", `cannot work in '${shown}': ${reason.replaceAll("_", " ")}`, {
    operation: "open_cwd",
    target: shown,
    ...(cause === undefined ? {} : { cause }),
    details: { path: shown, reason },
  });
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw cwdError(".", "not_found", error);
  }
}

/** The folder to work in, absolute and usable. Throws INVALID_CWD with the reason. */
export function openCwd(given: unknown): string {
  const path = typeof given === "string" ? absolute(given) : currentFolder();
  try {
    if (!statSync(path).isDirectory()) throw cwdError(path, "not_a_directory");
    accessSync(path, constants.R_OK | constants.X_OK);
    return path;
  } catch (error) {
    if (error instanceof ClawError) throw error;
    throw cwdError(path, REASONS[errnoOf(error) ?? ""] ?? "unreadable", error);
  }
}

const REASONS: Readonly<Record<string, Reason>> = { ENOTDIR: "not_a_directory", ENOENT: "not_found" };

function absolute(given: string): string {
  if (given === "") throw cwdError(given, "empty");
  if (given.includes("\uFFFD")) throw cwdError(given, "not_utf8");
  return isAbsolute(given) ? resolve(given) : resolve(currentFolder(), given);
}
