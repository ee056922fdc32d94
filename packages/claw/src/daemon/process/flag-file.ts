import { unlinkSync } from "node:fs";
import { LIMITS } from "claw-contract";
import { errnoOf, nodeFileSystem, readSmallFile, withFileErrors, writeFileAtomically } from "../../files/index.ts";
import type { DaemonFlags, DaemonRecord } from "./daemon-record.ts";
import { isOwnFile, openFolder } from "./own-folder.ts";
import { workspaceFiles } from "./workspace-files.ts";

function parseFlags(text: string): DaemonFlags | undefined {
  try {
    const { flags } = JSON.parse(text) as { flags?: DaemonFlags };
    return typeof flags === "object" && flags !== null ? flags : undefined;
  } catch {
    // A damaged file names no flags.
    return undefined;
  }
}

function readFlags(folder: string, path: string): DaemonFlags | undefined {
  if (!isOwnFile(folder, path)) return undefined;
  const file = readSmallFile(path, LIMITS.settingsBytes);
  return file.kind === "text" ? parseFlags(file.text) : undefined;
}

/**
 * The flags of a running daemon. Its private folder names them, where agents' tools cannot change them; of a daemon of
 * 0.1.0, only its record in the workspace does.
 */
export function flagsOfDaemon(cwd: string, record: DaemonRecord): DaemonFlags {
  const { secrets, owner } = workspaceFiles(cwd);
  return (record.version === undefined ? undefined : readFlags(secrets, owner)) ?? record.flags ?? {};
}

/** The flags of a daemon that a replacement stopped, and whose successor has not started; undefined when there is none. */
export function unfinishedReplacement(cwd: string): DaemonFlags | undefined {
  const { secrets, replacement } = workspaceFiles(cwd);
  return readFlags(secrets, replacement);
}

/** Remembers the flags for the next daemon, in case this process dies between the end of one and the start of the other. */
export function beginReplacement(cwd: string, flags: DaemonFlags): void {
  const files = workspaceFiles(cwd);
  openFolder(files);
  const text = `${JSON.stringify({ flags })}\n`;
  withFileErrors("save", files.replacement, () => writeFileAtomically(nodeFileSystem, files.replacement, text));
}

/** Forgets an unfinished replacement: the next daemon runs, or none is wanted. */
export function endReplacement(cwd: string): void {
  const { replacement } = workspaceFiles(cwd);
  withFileErrors("remove", replacement, () => {
    try {
      unlinkSync(replacement);
    } catch (error) {
      if (errnoOf(error) !== "ENOENT" && errnoOf(error) !== "ENOTDIR") throw error;
    }
  });
}
