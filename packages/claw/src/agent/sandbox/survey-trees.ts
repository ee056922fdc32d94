import { join } from "node:path";
import { ClawError, LIMITS } from "claw-contract";
import { resolvePath } from "../permissions/resolve-path.ts";
import type { Workspace } from "../permissions/workspace.ts";
import { isInside, isInWorkspace } from "../permissions/workspace.ts";
import type { GitPlace } from "./git-places.ts";
import { disarm, placeAt, fingerprintOf } from "./git-places.ts";
import type { Aftermath, Confinement, KeptFiles } from "./sandbox.ts";
import { scanTree } from "./scan-tree.ts";

/** What a search of the workspace found. */
interface Findings {
  readonly places: Map<string, GitPlace>;
  readonly hidden: Set<string>;
  readonly fixed: Set<string>;
  /** Folders of the workspace in which the search stopped at its limit. */
  readonly unfinished: string[];
}

export interface Survey {
  readonly kept: KeptFiles;
  readonly notes: readonly string[];
  /** Searches again. Disarms repositories that would start programs, and reports new files that the rules keep. */
  settle(): Aftermath;
}

/** The real path of an entry, where a mount has to be made; empty when the path is outside of the workspace. */
function realPlaces(path: string, workspace: Workspace): string[] {
  try {
    const place = resolvePath(path, { cwd: workspace.root });
    return isInWorkspace(place, workspace) ? [place] : [];
  } catch (error) {
    if (error instanceof ClawError) return [];
    throw error;
  }
}

function search(workspace: Workspace, { kept, writable }: Confinement): Findings {
  const findings: Findings = { places: new Map(), hidden: new Set(), fixed: new Set(), unfinished: [] };
  const { hides, fixes } = kept ?? {};
  if (!writable && hides === undefined) return findings;
  const roots = [workspace.root, ...workspace.extraFolders];
  const keep = (path: string): void => {
    if (hides?.(path)) for (const place of realPlaces(path, workspace)) findings.hidden.add(place);
    else if (fixes?.(path)) for (const place of realPlaces(path, workspace)) findings.fixed.add(place);
  };
  for (const root of roots) {
    const isWhole = scanTree(root, (folder) => {
      // `guardWorkspace` guards the repositories at the top of the workspace's folders.
      const place = writable && !roots.includes(folder.path) ? placeAt(folder) : null;
      if (place !== null) findings.places.set(place.mark, place);
      if (hides === undefined && fixes === undefined) return;
      for (const { name } of folder.entries) keep(join(folder.path, name));
    });
    if (!isWhole) findings.unfinished.push(root);
  }
  return findings;
}

/** As many files as can be kept; the files of the project come before those of installed packages. */
function choose(paths: ReadonlySet<string>): string[] {
  const isInstalled = (path: string): number => Number(path.includes("/node_modules/"));
  return [...paths].toSorted((a, b) => isInstalled(a) - isInstalled(b)).slice(0, LIMITS.sandboxKeptFiles);
}

const MAX_NAMED = 10;

function listed(paths: readonly string[]): string {
  const more = paths.length - MAX_NAMED;
  return paths.slice(0, MAX_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function limitNotes({ hidden, fixed, unfinished }: Findings, { kept, writable }: Confinement): string[] {
  const most = Math.max(hidden.size, fixed.size);
  const limit = LIMITS.sandboxKeptFiles;
  const isBlind = unfinished.length > 0 && (kept?.hides !== undefined || kept?.fixes !== undefined);
  const where = `${listed(unfinished)} holds more than ${LIMITS.sandboxScanEntries} files`;
  return [
    ...(most > limit
      ? [`${most} files fit patterns of the rules; only ${limit} of them were kept from the command`]
      : []),
    ...(isBlind ? [`${where}; patterns of the rules did not hold for all of them`] : []),
    ...(writable && unfinished.length > 0 ? [`${where}; repositories that the command made may start programs`] : []),
  ];
}

/** A note about the files that fit patterns of the rules and were not there when the command began. */
function newcomers(before: Findings, after: Findings): string[] {
  const fresh = [...after.hidden, ...after.fixed].filter((path) => !before.hidden.has(path) && !before.fixed.has(path));
  return fresh.length === 0 ? [] : [`the command made files that the rules keep: ${listed(fresh)}`];
}

/** Searches the folders of a workspace before and after a command, as far as there are files to look for. */
export function surveyTrees(workspace: Workspace, confinement: Confinement): Survey {
  const before = search(workspace, confinement);
  const { kept } = confinement;
  const hidden = [...(kept?.hidden ?? []), ...choose(before.hidden)];
  const isShown = (path: string): boolean => !hidden.some((folder) => folder !== path && isInside(path, folder));
  const fixed = [...(kept?.fixed ?? []), ...choose(before.fixed)];
  const notes = limitNotes(before, confinement);
  const known = new Set([...before.places.values()].map(fingerprintOf));
  const rootOf = (path: string): string =>
    workspace.extraFolders.find((folder) => isInside(path, folder)) ?? workspace.root;
  return {
    kept: { hidden: hidden.filter(isShown), fixed: fixed.filter(isShown) },
    notes,
    settle: () => {
      const after = search(workspace, confinement);
      const changed = [...after.places.values()].filter((place) => !known.has(fingerprintOf(place)));
      return {
        removed: changed.flatMap((place) => disarm(place, before.places.get(place.mark), rootOf(place.mark))),
        notes: [...new Set([...notes, ...limitNotes(after, confinement), ...newcomers(before, after)])],
      };
    },
  };
}
