import { join } from "node:path";
import type { FileSystem } from "../files/index.ts";
import {
  isForeign,
  PRIVATE_FILE,
  PRIVATE_FOLDER,
  readSmallFile,
  stateFolder,
  writeAllBytes,
  unlessRefused,
} from "../files/index.ts";
import type { SessionEntry } from "./session-files.ts";

/**
 * Which sessions of a workspace this user has made there or has gone on with by name. Kept in a private folder outside
 * of the workspace, so that no file which comes with a clone, an archive or another workspace is among them.
 */
export interface OwnSessions {
  has(entry: SessionEntry): boolean;
  /** Counts a session among them from now on. A home folder that cannot be written is passed over. */
  claim(entry: Pick<SessionEntry, "id" | "path">): void;
  forget(id: string): void;
}

const MAX_BYTES = 200;

/** The identity of a session's file, by which a replaced file is recognised. Undefined when there is no file. */
function printOf(fs: FileSystem, path: string): string | undefined {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}\n`;
}

function writeFile(fs: FileSystem, path: string, text: string): void {
  const fd = fs.openSync(path, "w", PRIVATE_FILE);
  try {
    writeAllBytes(fs, fd, Buffer.from(text));
  } finally {
    fs.closeSync(fd);
  }
}

export function openOwnSessions(fs: FileSystem, cwd: string): OwnSessions {
  // Looked for when it is needed: most calls ask for no session.
  const folder = (): string => join(stateFolder(cwd), "sessions");
  return {
    has: ({ id, path }) => {
      const record = join(folder(), id);
      const file = readSmallFile(record, MAX_BYTES);
      if (file.kind !== "text" || file.text !== printOf(fs, path)) return false;
      // Among the temporary files, where a user without a home keeps it, others can write as well.
      return !isForeign(fs.lstatSync(record));
    },
    claim: ({ id, path }) =>
      unlessRefused(() => {
        fs.mkdirSync(folder(), { recursive: true, mode: PRIVATE_FOLDER });
        const print = printOf(fs, path);
        if (print !== undefined) writeFile(fs, join(folder(), id), print);
      }),
    forget: (id) => unlessRefused(() => fs.unlinkSync(join(folder(), id))),
  };
}
