import { lstatSync, mkdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import { createAtomicFile, isForeign, withFileErrors } from "../../../files/index.ts";
import type { Ports } from "../../runtime/handle.ts";
import type { CompletionFile } from "./completion-files.ts";

type Change = VerbOutput<"completion">["files"][number];

const PUBLIC_FILE = 0o644;

interface Place {
  /** The file itself, where a link leads. */
  readonly path: string;
  readonly mode: number;
  /** One character for each byte; undefined when there is no file. */
  readonly text: string | undefined;
}

const refuse = (path: string, why: string): ClawError =>
  new ClawError("FILESYSTEM_ERROR", `${path} ${why}`, { operation: "open", target: path });

/** Reads a start file of a shell. When the file is a link into another folder of the user, the link stays. */
function readPlace(named: string): Place {
  return withFileErrors("open", named, () => {
    if (lstatSync(named, { throwIfNoEntry: false }) === undefined) {
      return { path: named, mode: PUBLIC_FILE, text: undefined };
    }
    const path = realpathSync(named);
    const stats = statSync(path);
    if (!stats.isFile()) throw refuse(named, "is no regular file");
    if (isForeign(stats)) throw refuse(named, "belongs to another user");
    return { path, mode: stats.mode & 0o777, text: readFileSync(path, "latin1") };
  });
}

function save({ path, mode }: Place, text: string, { files }: Ports): void {
  withFileErrors("save", path, () => {
    mkdirSync(dirname(path), { recursive: true });
    const file = createAtomicFile(files, path, mode);
    try {
      file.write(Buffer.from(text, "latin1"));
      file.commit();
    } finally {
      file.discard();
    }
  });
}

/** Writes or removes one file of completion, unless it is as wanted. */
function change(file: CompletionFile, action: "install" | "uninstall", dryRun: boolean, ports: Ports): Change {
  const place = readPlace(file.path);
  const { text: before } = place;
  const isRemoval = action === "uninstall";
  const after = isRemoval ? (before === undefined ? undefined : file.removed(before)) : file.installed(before);
  if (after === before) return { path: file.path, effect: "noop" };
  const effect = after === undefined ? "deleted" : before === undefined ? "created" : "updated";
  if (!dryRun) {
    if (after === undefined) withFileErrors("remove", place.path, () => ports.files.unlinkSync(place.path));
    else save(place, after, ports);
  }
  return { path: file.path, effect: dryRun ? WOULD[effect] : effect };
}

const WOULD = { created: "would_create", updated: "would_update", deleted: "would_delete" } as const;

/** Installs or removes the files of completion, in an order in which no file names one that is not there. */
export function writeCompletion(
  files: readonly CompletionFile[],
  action: "install" | "uninstall",
  { dryRun, ports }: { readonly dryRun: boolean; readonly ports: Ports },
): Change[] {
  const ordered = action === "install" ? files : files.toReversed();
  return ordered.map((file) => change(file, action, dryRun, ports));
}
