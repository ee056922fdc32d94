import { createHash } from "node:crypto";
import { once } from "node:events";
import { createGzip } from "node:zlib";
import { ClawError, LIMITS } from "claw-contract";
import type { FileSystem } from "../../../files/index.ts";
import { createAtomicFile, withFileErrors } from "../../../files/index.ts";
import type { BackupList, ListedFile } from "./file-list.ts";
import { LIST_NAME } from "./file-list.ts";
import { headerOf, paddingOf, TAR_END } from "./tar-header.ts";

/** A file to store: its first `size` bytes. */
export interface BackupSource {
  readonly path: string;
  readonly size: number;
  /** Reads the next bytes; no bytes at the end. */
  readonly read: () => Buffer;
  /** Of a segment of the log: the sequence of its last event. Undefined for every other file. */
  readonly lastSequence: () => number | undefined;
  readonly close: () => void;
}

export interface Stored {
  readonly files: readonly ListedFile[];
  readonly bytes: number;
}

function tooLarge(path: string): ClawError {
  return new ClawError(
    "REQUEST_TOO_LARGE",
    `a backup holds at most ${LIMITS.backupFiles} files and ${LIMITS.backupBytes} bytes`,
    {
      operation: "backup",
      target: path,
    },
  );
}

function* contentOf({ path, size, read }: BackupSource): Generator<Buffer> {
  let left = size;
  while (left > 0) {
    const bytes = read();
    if (bytes.length === 0) {
      throw new ClawError("FILESYSTEM_ERROR", `${path} became shorter while it was read`, {
        operation: "read",
        target: path,
        hint: "Call again.",
      });
    }
    yield bytes.subarray(0, left);
    left -= Math.min(left, bytes.length);
  }
}

/** The bytes of a tar file. `listed` is called with each stored file. */
function* tarBytes(sources: Iterable<BackupSource>, listed: (file: ListedFile) => void): Generator<Buffer> {
  for (const source of sources) {
    try {
      const digest = createHash("sha256");
      yield headerOf(source.path, source.size);
      for (const bytes of contentOf(source)) {
        digest.update(bytes);
        yield bytes;
      }
      yield Buffer.alloc(paddingOf(source.size));
      listed({ path: source.path, size: source.size, sha256: digest.digest("hex") });
    } finally {
      source.close();
    }
  }
}

function* listBytes(list: BackupList): Generator<Buffer> {
  const bytes = Buffer.from(`${JSON.stringify(list)}\n`);
  yield headerOf(LIST_NAME, bytes.length);
  yield bytes;
  yield Buffer.alloc(paddingOf(bytes.length));
  yield TAR_END;
}

export interface ArchiveTarget {
  readonly fs: FileSystem;
  readonly path: string;
  /** Whether a file that appeared meanwhile is replaced. */
  readonly replace: boolean;
  readonly about: Omit<BackupList, "files" | "backup">;
}

/** Writes a backup under a temporary name, and puts it in place when it is whole. */
export async function writeArchive(
  sources: Iterable<BackupSource>,
  { fs, path, replace, about }: ArchiveTarget,
  signal: AbortSignal,
): Promise<Stored> {
  const files: ListedFile[] = [];
  let bytes = 0;
  const listed = (file: ListedFile): void => {
    bytes += file.size;
    if (files.push(file) > LIMITS.backupFiles || bytes > LIMITS.backupBytes) throw tooLarge(path);
  };
  const out = withFileErrors("save", path, () => createAtomicFile(fs, path));
  const gzip = createGzip();
  const failed: unknown[] = [];
  gzip.on("data", (chunk: Buffer) => {
    try {
      if (failed.length === 0) withFileErrors("save", path, () => out.write(chunk));
    } catch (error) {
      failed.push(error);
    }
  });
  const pass = async (parts: Iterable<Buffer>): Promise<void> => {
    for (const part of parts) {
      if (!gzip.write(part)) await once(gzip, "drain", { signal });
      signal.throwIfAborted();
      if (failed.length > 0) throw failed[0];
    }
  };
  try {
    await pass(tarBytes(sources, listed));
    await pass(listBytes({ backup: 1, ...about, files }));
    gzip.end();
    await once(gzip, "end", { signal });
    if (failed.length > 0) throw failed[0];
    withFileErrors("save", path, () => out.commit({ exclusive: !replace }));
    return { files, bytes };
  } finally {
    gzip.destroy();
    out.discard();
  }
}
