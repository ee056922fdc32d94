import { ClawError, LIMITS } from "claw-contract";
import type { FileSystem } from "../../files/index.ts";
import { readJsonFile, withFileErrors, writeFileAtomically } from "../../files/index.ts";
import type { WorkspaceFiles } from "../process/workspace-files.ts";

/** Says, in a file of the folder, that the folder's own log is not the one to go on with. */
export interface FolderMark {
  /** `left`: the log went on in a cluster. `arriving`: a verified copy takes the place of the folder's log. */
  readonly state: "left" | "arriving";
  readonly cluster: string;
  /** Epoch of the log in the cluster. */
  readonly epoch: number;
  /** With `arriving`: folder, in `.claws`, for the files of the log that was here. */
  readonly aside?: string;
}

type Files = Pick<WorkspaceFiles, "moved" | "log">;

export function readMark({ moved }: Pick<Files, "moved">): FolderMark | undefined {
  const mark = readJsonFile<FolderMark>(moved, LIMITS.settingsBytes);
  const isWhole = (mark?.state === "left" || mark?.state === "arriving") && Number.isSafeInteger(mark.epoch);
  const isPlace = mark?.aside === undefined || /^before-\d+$/.test(mark.aside);
  return isWhole && isPlace ? (mark as FolderMark) : undefined;
}

export function writeMark(fs: FileSystem, { moved }: Pick<Files, "moved">, mark: FolderMark): void {
  withFileErrors("save", moved, () => writeFileAtomically(fs, moved, `${JSON.stringify({ version: 1, ...mark })}\n`));
}

export function removeMark(fs: FileSystem, { moved }: Pick<Files, "moved">): void {
  withFileErrors("remove", moved, () => {
    if (fs.lstatSync(moved, { throwIfNoEntry: false }) !== undefined) fs.unlinkSync(moved);
  });
}

/** Refuses a daemon without a cluster whose log went on elsewhere. Throws LOG_MOVED and MIGRATION_UNFINISHED. */
export function requireOwnLog(files: Files): void {
  const mark = readMark(files);
  if (mark === undefined) return;
  const options = { operation: "open_log", target: files.log };
  if (mark.state === "arriving") {
    const message = `the log of the cluster ${mark.cluster} is being put into ${files.log}`;
    throw new ClawError("MIGRATION_UNFINISHED", message, {
      ...options,
      hint: "Call claw bus migrate --to folder again: it goes on where it stopped.",
    });
  }
  throw new ClawError("LOG_MOVED", `the log of this folder went on in the cluster ${mark.cluster}`, {
    ...options,
    hint: "Start the daemon with claw up --bus. Or bring the log back: claw bus migrate --to folder. Or go on with the old log, without what is newer: claw bus migrate --to old-log.",
  });
}
