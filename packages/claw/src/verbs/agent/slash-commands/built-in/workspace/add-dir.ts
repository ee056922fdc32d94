import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { ClawError, trimEndOf } from "claw-contract";
import { withFileErrors } from "../../../../../files/index.ts";
import type { Ports } from "../../../../runtime/handle.ts";
import type { SlashCommandResult } from "../../command.ts";
import { declined, defineCommand } from "../../command.ts";

/** The folder in the words: a path alone, or a path behind the word `create`. */
function pathIn(words: string, { env }: Ports): string {
  const path = words.replace(/^create\s+(?=\S)/i, "");
  const plain = trimEndOf(path, "/") || path.slice(0, 1);
  return plain.replace(/^~(?=\/|$)/, () => env["HOME"] ?? "~");
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Where a path leads when every link on the way is followed; what is not there yet is taken as it is written. */
function resolved(path: string): string {
  if (isThere(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(resolved(parent), basename(path));
}

function isWithin(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith("../"));
}

function requireInside(path: string, asked: string, cwd: string): void {
  if (isWithin(path, realpathSync(cwd))) return;
  throw new ClawError("PERMISSION_DENIED", `${asked} leads out of ${cwd}`, {
    operation: "create",
    target: asked,
    hint: "Name a folder inside the working folder, or choose another working folder with --cwd.",
  });
}

function create(path: string, dryRun: boolean, { files }: Ports): SlashCommandResult {
  if (dryRun) return { handled: true, message: `would create ${path}`, effect: "would_create", wouldAffect: [path] };
  withFileErrors("create", path, () => files.mkdirSync(path, { recursive: true }));
  return { handled: true, message: `created directory ${path}`, effect: "created" };
}

export const addDir = defineCommand({
  name: "add-dir",
  responsibility: "Creates a new directory in the working folder.",
  usage: "FOLDER",
  run: async (words, { ports, dryRun }) => {
    const asked = pathIn(words, ports);
    if (asked === "" || asked.includes("\0")) return declined("No folder was named. Name one, as in: add-dir src/util");
    const path = withFileErrors("look at", asked, () => resolved(resolve(ports.cwd, asked)));
    requireInside(path, asked, ports.cwd);
    const stats = withFileErrors("look at", path, () => lstatSync(path, { throwIfNoEntry: false }));
    if (stats === undefined) return create(path, dryRun, ports);
    if (stats.isDirectory()) return { handled: true, message: `${path} is there already`, effect: "noop" };
    return declined(`${path} exists and is not a folder`);
  },
});
