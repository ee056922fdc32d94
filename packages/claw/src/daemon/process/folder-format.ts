import { join } from "node:path";
import { ClawError, LIMITS, VERSIONS } from "claw-contract";
import { readSmallFile } from "../../files/index.ts";
import { workspaceFiles } from "./workspace-files.ts";

/** The version of the daemon's files in a folder; 1 when the folder has none, or names no version. */
function formatOf(path: string): number {
  const file = readSmallFile(path, LIMITS.settingsBytes);
  try {
    const { version } = file.kind === "text" ? (JSON.parse(file.text) as { version?: unknown }) : {};
    return typeof version === "number" ? version : 1;
  } catch {
    // A damaged file is mended when the log is opened.
    return 1;
  }
}

/**
 * Throws FORMAT_UNSUPPORTED when a newer version of claw wrote the files of a folder's daemon. Called before any file
 * is changed.
 */
export function requireFormat(cwd: string): void {
  const path = join(workspaceFiles(cwd).log, "meta.json");
  const format = formatOf(path);
  const { newest } = VERSIONS.log;
  if (format <= newest) return;
  throw new ClawError(
    "FORMAT_UNSUPPORTED",
    `${path} has version ${format}; this version of claw reads up to ${newest}. Nothing was changed`,
    { operation: "open_log", target: path, details: { version: format, newest } },
  );
}
