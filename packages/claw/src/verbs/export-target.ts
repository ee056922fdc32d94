import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ClawError, shellQuote } from "@claw/contract";

type PathReason = "empty" | "parent_not_found" | "parent_not_a_directory" | "path_is_directory";

const makeFolder = (path: string): string => `mkdir -p -- ${shellQuote(dirname(path))}`;

function invalidPath(path: string, reason: PathReason): ClawError {
  return new ClawError("INVALID_OUTPUT_PATH", `cannot write to '${path}': ${reason.replaceAll("_", " ")}`, {
    operation: "open",
    target: path,
    ...(reason === "parent_not_found" ? { hint: `Create the folder first: ${makeFolder(path)}` } : {}),
    details: { path, reason, ...(reason === "parent_not_found" ? { fix_command: makeFolder(path) } : {}) },
  });
}

/** A file an export may be written to. Throws before anything is read or written. */
export function requireTarget(given: string, cwd: string, yes: boolean): { file: string; exists: boolean } {
  if (given === "") throw invalidPath(given, "empty");
  const file = resolve(cwd, given);
  const parent = statSync(dirname(file), { throwIfNoEntry: false });
  if (parent === undefined) throw invalidPath(file, "parent_not_found");
  if (!parent.isDirectory()) throw invalidPath(file, "parent_not_a_directory");
  const present = statSync(file, { throwIfNoEntry: false });
  if (present?.isDirectory()) throw invalidPath(file, "path_is_directory");
  if (present !== undefined && !yes) {
    throw new ClawError("CONFIRMATION_REQUIRED", `${file} exists and would be overwritten`, {
      operation: "open",
      target: file,
    });
  }
  return { file, exists: present !== undefined };
}
