import { existsSync, lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { JobWorktree } from "claw-contract";
import { LIMITS } from "claw-contract";
import { readSmallFile } from "../../../files/index.ts";
import { askGit } from "./worktree-git.ts";

/**
 * The private git folder of a daemon's worktree. Only commands of claw's own agent write there; the agent takes the
 * commits from there into the repository.
 */
export const privatePlace = (path: string): string => join(dirname(dirname(path)), "git", basename(path));

const COMMIT_ID = /\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/;
const MAX_FILES = 1000;
const MAX_TIPS = 100;

/** The files below a folder. Links are not followed, and count as files. */
function filesBelow(folder: string): string[] {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** The text of a file that git wrote, empty without a file; null when it is no readable text file. */
function textAt(path: string): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return "";
  const file = stats.isFile() ? readSmallFile(path, LIMITS.settingsBytes) : null;
  return file?.kind === "text" ? file.text : null;
}

/** The commits to which references of a private folder point; null when they cannot be read. */
function privateTips(folder: string): string[] | null {
  const names = ["HEAD", ...filesBelow(join(folder, "refs")).map((path) => relative(folder, path))];
  const loose = names.slice(0, MAX_FILES).map((name) => [name, textAt(join(folder, name))] as const);
  const packed = textAt(join(folder, "packed-refs"));
  if (names.length > MAX_FILES || packed === null || loose.some(([, text]) => text === null)) return null;
  const lines = packed.split("\n").filter((line) => !line.startsWith("#"));
  // A reference in a separate file counts before a packed reference of the same name.
  const all = new Map([...lines.map((line) => [line.slice(line.indexOf(" ") + 1), line] as const), ...loose]);
  return [...new Set([...all.values()].flatMap((text) => COMMIT_ID.exec(text ?? "")?.[0] ?? []))];
}

/**
 * Whether a private git folder holds commits that no branch of the repository has. An unreadable folder counts as work.
 */
export async function holdsPrivateWork({ path, repository }: JobWorktree): Promise<boolean> {
  const folder = join(privatePlace(path), "folder");
  if (!existsSync(folder)) return false;
  const tips = privateTips(folder);
  const refs = await askGit(repository, ["for-each-ref", "--format=%(objectname)"]);
  const known = new Set(refs.text.split("\n"));
  const unknown = tips?.filter((tip) => !known.has(tip));
  if (unknown === undefined || unknown.length > MAX_TIPS) return true;
  for (const tip of unknown) {
    const holder = await askGit(repository, ["for-each-ref", "--count=1", "--contains", tip]);
    if (!holder.ok || holder.text.trim() === "") return true;
  }
  return false;
}
