import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ClawError } from "claw-contract";
import { entryAt } from "../../permissions/entry-at.ts";
import { gitFolderAt } from "../../permissions/git-folder.ts";
import type { Workspace } from "../../permissions/workspace.ts";
import { isInside } from "../../permissions/workspace.ts";
import { commandEnvironment } from "../command-environment.ts";
import { findPrivatePlaces, reservePrivatePlaces } from "../private-folders.ts";
import type { CommandWatch, Confinement, KeptFiles, Sandbox, SandboxPlace } from "../sandbox.ts";
import { toolFolders } from "../system-view.ts";
import { guardWorkspace } from "../workspace-guard.ts";
import { LOCKED, LOCKED_OF_GIT } from "../workspace-view.ts";
import type { SeatbeltView } from "./seatbelt-profile.ts";
import { seatbeltProfile } from "./seatbelt-profile.ts";

/** Part of macOS. Named by its path: a program of this name in the workspace could be any program. */
const PROGRAM = "/usr/bin/sandbox-exec";

/** Folders of macOS that programs need, and that hold no secrets of a user. */
const SYSTEM = [
  "/usr",
  "/bin",
  "/sbin",
  "/opt",
  "/nix",
  "/System",
  "/Library/Apple",
  "/Library/Developer",
  "/Library/Frameworks",
  "/Applications/Xcode.app",
  "/private/etc",
  "/private/var/db/timezone",
  "/private/var/select",
];

/** Files among them that only the administrator may read. The administrator's own commands must not read them either. */
const OF_THE_ADMINISTRATOR = ["/private/etc/master.passwd", "/private/etc/sudoers", "/private/etc/sudoers.d"];

const NOTHING_KEPT: KeptFiles = { hidden: [], fixed: [] };

/** Entries of a folder of the workspace that a command may not change, whether or not they exist. */
function lockedIn(root: string): string[] {
  const git = join(root, ".git");
  const isFolder = entryAt(git)?.isDirectory() ?? true;
  const ofGit = isFolder ? LOCKED_OF_GIT.map((name) => join(git, name)) : [git];
  return [...LOCKED.map((name) => join(root, name)), ...ofGit];
}

/** The folders from a root down to the one that holds a path: a command that moved one would give the path another name. */
function foldersTo(path: string, root: string): string[] {
  const folder = dirname(path);
  return isInside(folder, root) ? [...(folder === root ? [] : foldersTo(folder, root)), folder] : [];
}

/** Folders and sockets that the profile of a confinement opens to a command. */
function viewOf(workspace: Workspace, confinement: Confinement, shown: readonly string[]): SeatbeltView {
  const { writable, temporary, bus, kept = NOTHING_KEPT } = confinement;
  const roots = [workspace.root, ...workspace.extraFolders];
  const common = gitFolderAt(workspace.root)?.common;
  const places = findPrivatePlaces(workspace, shown);
  const own = temporary === undefined ? [] : [temporary];
  const fixed = [...roots.flatMap(lockedIn), ...kept.fixed];
  const hidden = [...OF_THE_ADMINISTRATOR, ...kept.hidden, ...places.folders, ...places.sockets];
  return {
    readable: [...shown, ...(common === undefined ? [] : [common]), ...(writable ? [] : roots)],
    writable: [...(writable ? roots : []), ...own],
    fixed,
    anchored: [
      ...new Set([
        ...roots,
        ...[...fixed, ...hidden].flatMap((path) => roots.flatMap((root) => foldersTo(path, root))),
      ]),
    ],
    hidden: hidden.filter((path) => path !== bus?.socket),
    sockets: bus === undefined ? [] : [bus.socket],
  };
}

const refuseGit = ({ cwd }: Confinement): ClawError =>
  new ClawError("PERMISSION_DENIED", "sandbox-exec cannot show a command a private git folder", {
    operation: "confine",
    target: cwd,
  });

/** The sandbox of macOS. Null where the system has none. */
export function createSeatbelt({ workspace, env, home }: SandboxPlace, program = PROGRAM): Sandbox | null {
  if (!existsSync(program)) return null;
  const path = commandEnvironment({ env, workspace, manner: "confined" })["PATH"] ?? "";
  const shown = [...SYSTEM, ...toolFolders(path, home)];
  return {
    kind: "sandbox-exec",
    wrap: (argv, confinement) => {
      if (confinement.git !== undefined) throw refuseGit(confinement);
      const { text, parameters } = seatbeltProfile(viewOf(workspace, confinement, shown));
      const flags = [...parameters].flatMap(([name, place]) => ["-D", `${name}=${place}`]);
      const { temporary } = confinement;
      const folders = temporary === undefined ? [] : ["/usr/bin/env", `TMPDIR=${temporary}`, `HOME=${temporary}`];
      return [program, ...flags, "-p", text, ...folders, ...argv];
    },
    guard: (confinement): CommandWatch => {
      reservePrivatePlaces(workspace);
      const watch = guardWorkspace(workspace, confinement);
      const temporary = realpathSync(mkdtempSync(join(tmpdir(), "claw-command-")));
      return {
        confinement: { ...watch.confinement, temporary },
        settle: () => {
          rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
          return watch.settle();
        },
      };
    },
    busSocket: ({ socket }) => socket,
  };
}
