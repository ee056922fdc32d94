import { existsSync } from "node:fs";
import type { VerbName } from "claw-contract";
import { ClawError } from "claw-contract";
import { restoreMark } from "../upkeep/restore/restore-mark.ts";

/** Verbs that need no file of the folder, and verbs that finish a restore. */
const SERVED: ReadonlySet<VerbName> = new Set([
  "bootstrap-graph",
  "completion",
  "fake-agent",
  "help",
  "manifest",
  "parse-stream",
  "restore",
  "schema",
  "up",
  "version",
]);

/** Throws FILESYSTEM_ERROR for a verb in a folder whose restore was cut off between the old and the new files. */
export function requireWholeFolder(verb: VerbName, cwd: string): void {
  const mark = restoreMark(cwd);
  if (SERVED.has(verb) || !existsSync(mark)) return;
  throw new ClawError("FILESYSTEM_ERROR", "a restore of this folder was cut off while it exchanged the files", {
    operation: verb,
    target: mark,
    hint: "Finish it: claw up goes on where it stopped; claw restore does so too, before it restores anew.",
  });
}
