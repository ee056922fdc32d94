import { ClawError } from "@claw/contract";
import type { FileSystem } from "../files/index.ts";
import { errnoOf, syncFolder, withFileErrors } from "../files/index.ts";
import { findSessionFile, notFound } from "./session-files.ts";

/** Removes a session file and makes that last. The caller holds the session's lock. */
export function removeSession(fs: FileSystem, directory: string, id: string): void {
  const { path } = findSessionFile(fs, directory, id);
  try {
    fs.unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") throw notFound(id, directory);
    throw new ClawError("SESSION_DELETE_FAILED", `session '${id}' cannot be deleted`, {
      operation: "unlink",
      target: path,
      cause: error,
      details: { errno: errnoOf(error) ?? null },
    });
  }
  withFileErrors("sync", directory, () => syncFolder(fs, directory));
}
