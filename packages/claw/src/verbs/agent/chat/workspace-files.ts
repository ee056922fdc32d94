import type { Dirent } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { unlessRefused } from "../../../files/index.ts";
import { runGit } from "../../../process/index.ts";
import type { Ports } from "../../runtime/handle.ts";

/** Largest number of files for the completion of `@`. */
const COMPLETION_FILES = 20_000;
/** Folders searched for these files where there is no git. */
const COMPLETION_FOLDERS = 2000;

const MAX_BYTES = 8 * 1024 * 1024;
const LIST_FILES = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"] as const;

type FilePorts = Pick<Ports, "cwd" | "files">;

function readFolder({ cwd, files }: FilePorts, folder: string): Dirent[] {
  // A folder that went away, or is none of ours.
  return unlessRefused(() => files.readdirSync(join(cwd, folder), { withFileTypes: true }), []);
}

/** Files below the working folder, the nearest first, without hidden files and installed packages. */
function walk(ports: FilePorts): string[] {
  const found: string[] = [];
  const folders = [""];
  for (let index = 0; index < Math.min(folders.length, COMPLETION_FOLDERS); index += 1) {
    const folder = folders[index] ?? "";
    for (const entry of readFolder(ports, folder)) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const path = `${folder}${entry.name}`;
      if (entry.isDirectory()) folders.push(`${path}/`);
      else if (found.length < COMPLETION_FILES) found.push(path);
    }
  }
  return found;
}

/** Files of the working folder as paths from there, without those git ignores. Bounded in number and time. */
export async function listWorkspaceFiles(ports: FilePorts, signal: AbortSignal): Promise<readonly string[]> {
  const { cwd } = ports;
  const request = { args: LIST_FILES, cwd, timeoutMs: LIMITS.completionFilesMs, maxOutputBytes: MAX_BYTES };
  const listed = await runGit(request, signal);
  if (listed.kind !== "exited" || listed.code !== 0) return walk(ports);
  // The last path may be cut.
  const files = listed.stdout.split("\0").slice(0, -1);
  return [...new Set(files)].slice(0, COMPLETION_FILES);
}
