import { mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { LIMITS } from "claw-contract";
import { errnoOf, PRIVATE_FOLDER, readSmallFile } from "../../files/index.ts";
import { entryAt } from "../permissions/entry-at.ts";
import { CLAWS, isClaws, privateHomes, secretsHome } from "../permissions/private-places.ts";
import type { Workspace } from "../permissions/workspace.ts";
import { isInside } from "../permissions/workspace.ts";
import type { ScannedFolder } from "./scan-tree.ts";
import { scanTree } from "./scan-tree.ts";

/** Names in a workspace that are looked at for folders of daemons before each command. */
const SANDBOX_PRIVATE_SCAN = 20_000;

const foldersOf = ({ root, extraFolders }: Workspace): string[] => [root, ...extraFolders];

/** The folders above a path. */
const above = (path: string): string[] => (path === dirname(path) ? [] : [dirname(path), ...above(dirname(path))]);

const isFolder = (path: string): boolean => entryAt(path)?.isDirectory() ?? false;

/** Folders of daemons below a folder, the nearest first, as far as the limit goes. */
function scan(root: string): string[] {
  const found: string[] = [];
  const look = ({ path, entries }: ScannedFolder): void => {
    const claws = entries.filter((entry) => entry.isDirectory() && isClaws(entry.name));
    found.push(...claws.map(({ name }) => join(path, name)));
  };
  scanTree(root, look, SANDBOX_PRIVATE_SCAN);
  return found;
}

interface KnownFolder {
  readonly workspace: string;
  readonly socket: string;
}

function readKnown(path: string): KnownFolder[] {
  const file = readSmallFile(path, LIMITS.settingsBytes);
  try {
    const known = JSON.parse(file.kind === "text" ? file.text : "null") as Partial<KnownFolder> | null;
    const { workspace, socket } = known ?? {};
    return typeof workspace === "string" && typeof socket === "string" ? [{ workspace, socket }] : [];
  } catch {
    // The file is incomplete: the daemon that wrote it did not start.
    return [];
  }
}

/** Workspaces in which this user ever started a daemon, with the daemon's socket. */
function knownDaemons(home: string): KnownFolder[] {
  try {
    return readdirSync(home).flatMap((name) => readKnown(join(home, name, "workspace.json")));
  } catch (error) {
    // Without a state folder, no daemon is known.
    if (errnoOf(error) === undefined) throw error;
    return [];
  }
}

/** Folders and sockets of claw that exist, and that a command would see if they were not hidden. */
export interface PrivatePlaces {
  readonly folders: readonly string[];
  /** Sockets outside of such folders. */
  readonly sockets: readonly string[];
}

/** `shown` are the folders that a command sees besides its workspace. */
export function findPrivatePlaces(workspace: Workspace, shown: readonly string[]): PrivatePlaces {
  const roots = foldersOf(workspace);
  const isSeen = (path: string): boolean => [...roots, ...shown].some((root) => isInside(path, root));
  const known = knownDaemons(secretsHome());
  const places = [...roots, ...roots.flatMap(above), ...known.map((daemon) => daemon.workspace)];
  const daemons = places.map((folder) => join(folder, CLAWS));
  const folders = [...privateHomes(), ...daemons, ...roots.flatMap(scan)].filter(
    (path) => isSeen(path) && isFolder(path),
  );
  const listening = known.flatMap(({ socket }) => [socket, `${socket}.terminals`]);
  const isApart = (path: string): boolean => !folders.some((folder) => isInside(path, folder));
  const sockets = listening.filter((path) => isSeen(path) && isApart(path) && entryAt(path)?.isSocket());
  return { folders: [...new Set(folders)], sockets: [...new Set(sockets)] };
}

/**
 * Makes the empty folders in which a daemon that starts later would listen, and claw would keep compiled code. So the
 * sandbox can hide these folders from a command that still runs then. Where a folder cannot be made, no daemon can make
 * it either.
 */
export function reservePrivatePlaces(workspace: Workspace): void {
  const roots = foldersOf(workspace);
  const inside = privateHomes().filter((home) => roots.some((root) => isInside(home, root)));
  for (const path of [...inside, ...roots.map((root) => join(root, CLAWS))]) {
    try {
      mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
      mkdirSync(path, { mode: PRIVATE_FOLDER });
    } catch (error) {
      // An entry that exists already is hidden, or does not belong to a daemon.
      if (errnoOf(error) === undefined) throw error;
    }
  }
}
