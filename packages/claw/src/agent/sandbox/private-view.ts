import type { Workspace } from "../permissions/workspace.ts";
import { isInside } from "../permissions/workspace.ts";
import { findPrivatePlaces } from "./private-folders.ts";
import type { Confinement } from "./sandbox.ts";
import { treesAround, workspaceView } from "./workspace-view.ts";

interface Layer {
  readonly path: string;
  readonly flags: readonly string[];
}

/**
 * The flags that put empty folders in the place of claw's own: a command could connect to a visible socket, even in a
 * read-only folder. A workspace in such a folder is shown again, without its neighbours. These flags go behind those
 * for the system and the workspace, which would uncover the hidden folders. `shown` are the folders that a command sees
 * besides its workspace.
 */
export function privateView(workspace: Workspace, confinement: Confinement, shown: readonly string[]): string[] {
  const trees = treesAround(workspace.root, confinement.git);
  const { folders, sockets } = findPrivatePlaces(workspace, [...shown, ...trees]);
  const covers = folders.map((path): Layer => ({ path, flags: ["--tmpfs", path] }));
  const inner = [workspace.root, ...workspace.extraFolders]
    .filter((root) => folders.some((folder) => isInside(root, folder)))
    .map((root): Layer => {
      const [path = root] = treesAround(root, confinement.git);
      return { path, flags: workspaceView({ root, extraFolders: [] }, confinement) };
    });
  const layers = [...covers, ...inner].toSorted((left, right) => left.path.length - right.path.length);
  return [
    ...layers.flatMap(({ flags }) => flags),
    ...sockets.flatMap((path) => ["--ro-bind", "/dev/null", path]),
    ...folders.flatMap((path) => ["--remount-ro", path]),
  ];
}
