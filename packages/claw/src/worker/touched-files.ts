import { resolve } from "node:path";
import { fieldsOf, LIMITS } from "@claw/contract";
import type { RunItem } from "../harness/index.ts";

type Update = RunItem["updates"][number];

/** Tools that write the file they name. */
const WRITERS: ReadonlySet<string> = new Set([
  "Write",
  "Edit",
  "MultiEdit",
  "NotebookEdit",
  "write_file",
  "edit_file",
  "apply_patch",
  "file_change",
]);

/** Paths a call names, for agents that change one file a call and for those that change several. */
function pathsIn(input: unknown): string[] {
  const { file_path, notebook_path, path, changes } = fieldsOf(input);
  const listed = Array.isArray(changes) ? changes.map((change) => fieldsOf(change)["path"]) : [];
  return [file_path, notebook_path, path, ...listed].filter(
    (each) => typeof each === "string" && each !== "",
  ) as string[];
}

/** Files an agent wrote, as far as its stream tells: calls that failed do not count. */
export interface TouchedFiles {
  take(update: Update): void;
  /** Absolute, in the order they were first written. */
  paths(): readonly string[];
}

export function createTouchedFiles(cwd: string): TouchedFiles {
  const asked = new Map<string, readonly string[]>();
  const written = new Set<string>();
  return {
    take: (update) => {
      if (update.kind === "tool-call" && WRITERS.has(update.name)) asked.set(update.id, pathsIn(update.input));
      if (update.kind !== "tool-result") return;
      const paths = update.failed ? [] : (asked.get(update.id) ?? []);
      asked.delete(update.id);
      for (const path of paths) if (written.size < LIMITS.workerArtifacts) written.add(resolve(cwd, path));
    },
    paths: () => [...written],
  };
}
