import { join } from "node:path";
import type { WorkspaceFiles } from "../process/workspace-files.ts";

/** Files that follow from the log. Those of a cluster's log stand apart from those of the folder's own log. */
export interface ClusterFiles extends Pick<WorkspaceFiles, "snapshots" | "moments" | "notify"> {
  /** What the daemon remembers of the stream. */
  readonly stream: string;
  readonly folders: readonly string[];
}

export function clusterFiles({ folder }: Pick<WorkspaceFiles, "folder">, cluster: string): ClusterFiles {
  const at = (name: string): string => join(folder, "clusters", cluster, name);
  const [snapshots, moments, notify] = [at("state"), at("moments"), at("notify")];
  return {
    snapshots,
    moments,
    notify,
    stream: at("stream.json"),
    folders: [snapshots, moments, notify],
  };
}
