import type { FileSystem } from "../../files/index.ts";
import { fileModes } from "../../files/index.ts";
import type { ClusterOptions } from "../process/daemon-options.ts";
import { workspaceFiles } from "../process/workspace-files.ts";
import type { Moved, MigrationProgress } from "./migration.ts";
import { moveToFolder } from "./move-to-folder.ts";
import { moveToStream } from "./move-to-stream.ts";
import type { MigrationPreview } from "./preview-migration.ts";
import { previewMigration } from "./preview-migration.ts";
import { takeUpOldLog } from "./take-up-old-log.ts";

export interface MigrationCall {
  readonly fs: FileSystem;
  readonly cwd: string;
  readonly progress: MigrationProgress;
  readonly signal: AbortSignal;
}

const optionsOf = (call: MigrationCall) => ({ ...call, files: workspaceFiles(call.cwd) });

/** Copies the log of a folder into the stream of a cluster. */
export function toStream(call: MigrationCall, cluster: ClusterOptions): Promise<Moved> {
  // Files of the daemon are private, whatever umask the user has.
  fileModes.setMask(0o077);
  return moveToStream({ ...optionsOf(call), cluster });
}

/** Copies the stream of a cluster into a folder. */
export function toFolder(call: MigrationCall, cluster: ClusterOptions): Promise<Moved> {
  fileModes.setMask(0o077);
  return moveToFolder({ ...optionsOf(call), cluster });
}

/** Goes on with the log that a folder had before it was moved. */
export function toOldLog(call: MigrationCall): Promise<Moved> {
  fileModes.setMask(0o077);
  return takeUpOldLog(optionsOf(call));
}

/** Describes the effect of a call without changing anything. */
export const preview = (
  to: "stream" | "folder" | "old-log",
  call: MigrationCall,
  cluster?: ClusterOptions,
): Promise<MigrationPreview> =>
  previewMigration(to, { ...optionsOf(call), ...(cluster === undefined ? {} : { cluster }) });
