import { resolve } from "node:path";
import { LIMITS, objectOf } from "claw-contract";
import type { RunItem } from "../../harness/index.ts";

type Update = RunItem["updates"][number];

/** Tools that write the file named in the input. */
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

/** Paths named in a tool call. Some agents change a single file in a call, others several. */
function pathsIn(input: unknown): string[] {
  const { file_path, notebook_path, path, changes } = objectOf(input);
  const listed = Array.isArray(changes) ? changes.map((change) => objectOf(change)["path"]) : [];
  return [file_path, notebook_path, path, ...listed].filter(
    (each) => typeof each === "string" && each !== "",
  ) as string[];
}

/** Files the agent wrote, by its stream. Failed calls do not count. */
export interface TouchedFiles {
  take(update: Update): void;
  /** Absolute paths, in the order of their first write. */
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
