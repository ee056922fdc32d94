import { join } from "node:path";
import { ClawError } from "claw-contract";
import type { FileSystem } from "../files/index.ts";
import { errnoOf, syncFolder, withFileErrors } from "../files/index.ts";
import { findSessionFile, sessionNotFound } from "./session-files.ts";
import { SESSION_SUFFIX } from "./session-ref.ts";

/** What an unfinished line left beside the session. It is the session's and goes with it. */
function leftovers(fs: FileSystem, directory: string, id: string): string[] {
  const names = fs.readdirSync(directory).filter((name) => name.startsWith(`${id}${SESSION_SUFFIX}.torn-`));
  return names.map((name) => join(directory, name));
}

/** Removes a session with all that belongs to it and makes that last. The caller holds the session's lock. */
export function removeSession(fs: FileSystem, directory: string, id: string): void {
  const { path } = findSessionFile(fs, directory, id);
  try {
    fs.unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") throw sessionNotFound(id, directory);
    throw new ClawError("SESSION_DELETE_FAILED", `session '${id}' cannot be deleted`, {
      operation: "unlink",
      target: path,
      cause: error,
      details: { errno: errnoOf(error) ?? null },
    });
  }
  withFileErrors("remove", directory, () => {
    for (const file of leftovers(fs, directory, id)) fs.unlinkSync(file);
    syncFolder(fs, directory);
  });
}
