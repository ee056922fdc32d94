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
 * The part of the flags that puts empty folders in the place of claw's own: a socket that is seen can be connected to,
 * also where the folder is read-only. A workspace in such a folder is shown again, and nothing beside it. Goes behind
 * all other parts, which would uncover what it hides. `shown` are the folders that a command sees besides.
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
