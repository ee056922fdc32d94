import { existsSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { openLogCopy } from "../../bus/index.ts";
import type { FileSystem } from "../../files/index.ts";
import {
  PRIVATE_FOLDER,
  readJsonFile,
  removeTree,
  syncFolder,
  withFileErrors,
  writeFileAtomically,
} from "../../files/index.ts";
import type { WorkspaceFiles } from "../process/workspace-files.ts";
import { epochText } from "./carry-state.ts";
import type { ClusterSeat } from "./cluster-seat.ts";
import type { MigrationOptions } from "./migration.ts";
import { readStream } from "./migration.ts";

/** Which stream the copy in `.claws/incoming` is of. A copy of another stream is begun anew. */
export interface IncomingPlan {
  readonly cluster: string;
  readonly created: string;
}

type Files = Pick<WorkspaceFiles, "folder">;

/** The folder of a copy that is not yet in use. */
export const incomingOf = ({ folder }: Files): string => join(folder, "incoming");

/** Folders of `.claws` that follow from the log, and are exchanged together with it. */
const EXCHANGED = ["log", "durable", "state", "moments", "notify"] as const;

export const incomingPart = (files: Files, part: (typeof EXCHANGED)[number]): string => join(incomingOf(files), part);

const planPath = (files: Files): string => join(incomingOf(files), "plan.json");

/** Makes the folder for the copy, or finds that of a call that was cut off. */
export function openIncoming(fs: FileSystem, files: Files, plan: IncomingPlan): void {
  const found = readJsonFile<IncomingPlan>(planPath(files), LIMITS.settingsBytes);
  const isSame = found?.cluster === plan.cluster && found.created === plan.created;
  withFileErrors("open", incomingOf(files), () => {
    if (!isSame) removeTree(fs, incomingOf(files));
    for (const part of EXCHANGED) {
      fs.mkdirSync(incomingPart(files, part), { recursive: true, mode: PRIVATE_FOLDER });
    }
    if (!isSame) writeFileAtomically(fs, planPath(files), `${JSON.stringify(plan)}\n`);
  });
}

/** Copies what the folder lacks of the stream. Resolves with the number of events. */
export async function copyIncoming(
  seat: ClusterSeat,
  { first, head }: { readonly first: number; readonly head: number },
  { fs, files, progress, signal }: MigrationOptions,
): Promise<number> {
  const copy = openLogCopy(fs, incomingPart(files, "log"));
  let copied = 0;
  try {
    const after = Math.max(copy.head(), first - 1);
    await readStream(seat, { after, through: head }, (event) => {
      copy.add(event);
      copied += 1;
      if (copied % 2000 !== 0) return;
      signal.throwIfAborted();
      progress("copy", event.sequence, head);
    });
  } finally {
    copy.close();
  }
  return copied;
}

/** Gives the copy its epoch, by which cursors name it. */
export function sealIncoming(fs: FileSystem, files: Files, epoch: number): void {
  const path = join(incomingPart(files, "log"), "meta.json");
  const text = `${JSON.stringify({ version: 1, epoch: epochText(epoch) })}\n`;
  withFileErrors("save", path, () => writeFileAtomically(fs, path, text));
}

/** A name in `.claws` under which nothing stands yet, for the files that the copy takes the place of. */
export function asideName({ folder }: Files): string {
  for (let number = 1; ; number += 1) if (!existsSync(join(folder, `before-${number}`))) return `before-${number}`;
}

/** Puts the copy in its place. Each step can be the last before a kill; the next call goes on after it. */
export function exchange(fs: FileSystem, files: Files, aside: string): void {
  const { folder } = files;
  const incoming = incomingOf(files);
  withFileErrors("exchange", incoming, () => {
    if (!existsSync(incoming)) return;
    fs.mkdirSync(join(folder, aside), { recursive: true, mode: PRIVATE_FOLDER });
    for (const part of EXCHANGED) {
      const [fresh, place] = [incomingPart(files, part), join(folder, part)];
      if (!existsSync(fresh)) continue;
      if (existsSync(place)) fs.renameSync(place, join(folder, aside, part));
      fs.renameSync(fresh, place);
    }
    for (const path of [folder, join(folder, aside)]) syncFolder(fs, path);
    removeTree(fs, incoming);
  });
}
