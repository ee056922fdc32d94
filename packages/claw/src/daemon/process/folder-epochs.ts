import type { FileSystem } from "../../files/index.ts";
import { lookAtLog } from "../migration/folder-log.ts";
import type { Counters } from "./persistent-counters.ts";
import { openCounters } from "./persistent-counters.ts";
import { oldEpoch } from "./take-over/old-history.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

/**
 * The epochs of the logs that a folder had, and of the clusters' logs that it followed. Clients of the folder may hold cursors
 * of each, so no two logs may have the same epoch.
 */
export interface FolderEpochs {
  /** Epoch of the folder's own last log; 0 when there was none. */
  own(this: void): number;
  keepOwn(this: void, epoch: number): void;
  /** The epoch under which the folder last followed the log of a cluster; 0 when it never did. */
  of(cluster: string): number;
  /** Remembers the epoch of a cluster's log. Throws a file error when it cannot. */
  keep(cluster: string, epoch: number): void;
  /** The highest epoch of the folder's logs and of the clusters' logs. */
  highest(this: void): number;
}

const OWN = "epoch";
/** The highest epoch of the clusters, and before a name, the epoch of one. */
const CLUSTERS = "cluster-epoch";

interface Folder {
  readonly fs: FileSystem;
  readonly files: Pick<WorkspaceFiles, "folder" | "log" | "counters">;
}

export function folderEpochs(counters: Counters, { fs, files }: Folder): FolderEpochs {
  const own = (): number =>
    counters.kept(OWN) || Math.max(oldEpoch(files.folder), lookAtLog(fs, files.log)?.epoch ?? 0);
  const highest = (): number => Math.max(own(), counters.kept(CLUSTERS));
  const nameOf = (cluster: string): string => `${CLUSTERS}.${cluster}`;
  return {
    own,
    keepOwn: (epoch) => counters.keep(OWN, epoch),
    of: (cluster) => counters.kept(nameOf(cluster)),
    keep: (cluster, epoch) => {
      // First by its name: a cluster that is known by its epoch alone would count as another log.
      counters.keep(nameOf(cluster), epoch);
      counters.keep(CLUSTERS, Math.max(epoch, counters.kept(CLUSTERS)));
    },
    highest,
  };
}

/** The epochs of a folder in which no daemon runs. */
export const epochsOf = (folder: Folder): FolderEpochs =>
  folderEpochs(
    openCounters(folder.fs, folder.files.counters, () => undefined),
    folder,
  );
