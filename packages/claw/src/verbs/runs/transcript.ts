import type { RunItem } from "../../harness/index.ts";
import { createLineFile } from "../../harness/index.ts";
import { PRIVATE_FILE, withFileErrors } from "../../files/index.ts";
import type { ExportTarget } from "../sessions/export-target.ts";
import type { Ports } from "../runtime/handle.ts";

/** A file with the events of a run, written as they come. */
export interface Transcript {
  add(items: readonly RunItem[]): void;
  /** Closes the file; what could not be written becomes a warning. */
  close(): void;
}

/** Opens the file, so that a run whose transcript cannot be written does not begin. Without a target nothing is kept. */
export function openTranscript(target: ExportTarget | undefined, { files, notes }: Ports): Transcript {
  if (target === undefined) return { add: () => undefined, close: () => undefined };
  const { file, exists } = target;
  const fd = withFileErrors("write", file, () => files.openSync(file, exists ? "w" : "wx", PRIVATE_FILE));
  const lines = createLineFile(file, { fd });
  return {
    add: (items) => {
      for (const { line } of items) if (line !== "") lines.append(line);
      lines.flush();
    },
    close: () => {
      lines.close();
      const problem = lines.problem();
      if (problem !== null) notes.warn(`TRANSCRIPT_INCOMPLETE: ${problem}`);
    },
  };
}
