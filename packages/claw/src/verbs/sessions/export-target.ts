import type { Stats } from "node:fs";
import { lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ClawError, shellQuote } from "claw-contract";
import { errnoOf, PRIVATE_FILE, withFileErrors } from "../../files/index.ts";

type PathReason = "empty" | "not_utf8" | "parent_not_a_directory" | "path_is_directory" | "not_a_regular_file";

/** A file that an export may be written to. */
export interface ExportTarget {
  readonly file: string;
  readonly exists: boolean;
  /** Permission bits of the file. A replaced file keeps its mode. */
  readonly mode: number;
}

const makeFolder = (path: string): string => `mkdir -p -- ${shellQuote(dirname(path))}`;

function invalidPath(path: string, reason: PathReason): ClawError {
  return new ClawError("INVALID_OUTPUT_PATH", `cannot write to '${path}': ${reason.replaceAll("_", " ")}`, {
    operation: "write",
    target: path,
    details: { path, reason },
  });
}

/** The error for a missing folder. The same call succeeds as soon as the folder exists. */
function noParent(path: string): ClawError {
  const fix = makeFolder(path);
  return new ClawError("INVALID_OUTPUT_PATH", `cannot write to '${path}': No such file or directory`, {
    operation: "write",
    target: path,
    retryable: true,
    hint: `Create the folder first: ${fix}`,
    details: { path, reason: "parent_not_found", fix_command: fix },
  });
}

/** The status of a path, links followed; undefined when the path does not exist. */
function lookAt(path: string, file: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errnoOf(error) === "ENOTDIR") throw invalidPath(file, "parent_not_a_directory");
    return withFileErrors("open", file, () => {
      throw error;
    });
  }
}

function requireParent(file: string): void {
  const parent = lookAt(dirname(file), file);
  if (parent === undefined) throw noParent(file);
  if (!parent.isDirectory()) throw invalidPath(file, "parent_not_a_directory");
}

function existingTarget(file: string, present: Stats | undefined, yes: boolean): ExportTarget {
  if (present?.isDirectory()) throw invalidPath(file, "path_is_directory");
  if (present !== undefined && !present.isFile()) throw invalidPath(file, "not_a_regular_file");
  if (!yes) {
    throw new ClawError("CONFIRMATION_REQUIRED", `${file} exists and would be overwritten`, {
      operation: "open",
      target: file,
    });
  }
  // A link to a file stays, and the linked file is replaced. A link that points nowhere is replaced itself.
  if (present === undefined) return { file, exists: true, mode: PRIVATE_FILE };
  return { file: realpathSync(file), exists: true, mode: present.mode & 0o777 };
}

/** Decides where an export goes. Throws before anything is read or written. */
export function requireTarget(given: string, cwd: string, yes: boolean): ExportTarget {
  if (given === "") throw invalidPath(given, "empty");
  if (given.includes("\uFFFD")) throw invalidPath(given, "not_utf8");
  const file = resolve(cwd, given);
  requireParent(file);
  const entry = withFileErrors("open", file, () => lstatSync(file, { throwIfNoEntry: false }));
  if (entry === undefined) return { file, exists: false, mode: PRIVATE_FILE };
  return existingTarget(file, lookAt(file, file), yes);
}
