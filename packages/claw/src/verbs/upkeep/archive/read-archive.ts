import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { createHash } from "node:crypto";
import { LIMITS } from "claw-contract";
import { errnoOf, fileError } from "../../../files/index.ts";
import type { BackupList, ListedFile } from "./file-list.ts";
import { invalidBackup, isBackupPath, LIST_NAME, parseList } from "./file-list.ts";
import type { TarHeader } from "./tar-header.ts";
import { BLOCK_BYTES, paddingOf, readHeader, readLongName } from "./tar-header.ts";

/** Takes the content of the files of a backup, one after the other. */
export interface ArchiveTaker {
  readonly begin: (path: string) => void;
  readonly take: (bytes: Buffer) => void;
  readonly end: () => void;
}

/** Bytes in any pieces, given out in the sizes that a reader asks for. */
class ByteSource {
  readonly #chunks: AsyncIterator<Buffer>;
  #left: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next bytes, at most `most`; none at the end. */
  async some(most: number): Promise<Buffer> {
    if (this.#left.length === 0) {
      const { value, done } = await this.#chunks.next();
      if (done === true) return Buffer.alloc(0);
      this.#left = value;
    }
    const given = this.#left.subarray(0, most);
    this.#left = this.#left.subarray(given.length);
    return given;
  }

  /** Exactly so many bytes; undefined when there are fewer. */
  async exactly(size: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    for (let missing = size; missing > 0;) {
      const part = await this.some(missing);
      if (part.length === 0) return undefined;
      parts.push(part);
      missing -= part.length;
    }
    return Buffer.concat(parts);
  }
}

/** Reads one backup. Every problem of its content is BACKUP_INVALID. */
class ArchiveReader {
  readonly #file: string;
  readonly #bytes: ByteSource;
  readonly #found = new Map<string, ListedFile>();
  #total = 0;

  constructor(file: string, chunks: AsyncIterable<Buffer>) {
    this.#file = file;
    this.#bytes = new ByteSource(chunks);
  }

  async read(taker: ArchiveTaker): Promise<BackupList> {
    let longName: string | undefined;
    for (;;) {
      const header = await this.#header();
      if (header.kind === "long name") {
        longName = await this.#longName(header.size);
        continue;
      }
      const path = longName ?? header.name;
      longName = undefined;
      if (path === LIST_NAME) return this.#finish(await this.#list(header.size));
      await this.#content(this.#permit(path, header.size), header.size, taker);
    }
  }

  #bad(why: string): Error {
    return invalidBackup(this.#file, why);
  }

  async #header(): Promise<Exclude<TarHeader, { kind: "end" | "bad" }>> {
    const block = await this.#bytes.exactly(BLOCK_BYTES);
    const header = block === undefined ? undefined : readHeader(block);
    if (header === undefined || header.kind === "end") throw this.#bad("it is cut off");
    if (header.kind === "bad") throw this.#bad(header.why);
    return header;
  }

  async #small(size: number, most: number): Promise<Buffer> {
    if (size > most) throw this.#bad("a list or a name in it is too long");
    const bytes = await this.#bytes.exactly(size + paddingOf(size));
    if (bytes === undefined) throw this.#bad("it is cut off");
    return bytes.subarray(0, size);
  }

  async #longName(size: number): Promise<string> {
    const name = readLongName(await this.#small(size, 2 * LIMITS.backupPathBytes));
    if (name === undefined) throw this.#bad("a name in it is damaged");
    return name;
  }

  async #list(size: number): Promise<BackupList> {
    return parseList(this.#file, await this.#small(size, LIMITS.backupListBytes));
  }

  #permit(path: string, size: number): string {
    if (!isBackupPath(path)) {
      throw this.#bad(`it holds ${JSON.stringify(path.slice(0, 200))}, which is no file of claw`);
    }
    if (this.#found.has(path)) throw this.#bad(`it holds ${path} twice`);
    this.#total += size;
    if (this.#found.size >= LIMITS.backupFiles || this.#total > LIMITS.backupBytes) throw this.#bad("it is too large");
    return path;
  }

  async #content(path: string, size: number, taker: ArchiveTaker): Promise<void> {
    const digest = createHash("sha256");
    taker.begin(path);
    for (let missing = size; missing > 0;) {
      const bytes = await this.#bytes.some(missing);
      if (bytes.length === 0) throw this.#bad("it is cut off");
      digest.update(bytes);
      taker.take(bytes);
      missing -= bytes.length;
    }
    taker.end();
    this.#found.set(path, { path, size, sha256: digest.digest("hex") });
    if ((await this.#bytes.exactly(paddingOf(size))) === undefined) throw this.#bad("it is cut off");
  }

  /** Compares the list with the files that came. */
  #finish(list: BackupList): BackupList {
    if (list.files.length !== this.#found.size) throw this.#bad("its list and its files differ");
    for (const { path, size, sha256 } of list.files) {
      const found = this.#found.get(path);
      if (found?.size !== size || found.sha256 !== sha256) throw this.#bad(`${path} in it is damaged`);
    }
    return list;
  }
}

/** Errors of the decompression; others are errors of files. */
const isGzipError = (error: unknown): boolean =>
  errnoOf(error)?.startsWith("Z_") === true || errnoOf(error) === "ERR_STREAM_PREMATURE_CLOSE";

/**
 * Reads a backup and gives its files to `taker` as they come. Resolves with its list when every file is as the list
 * says. Throws BACKUP_INVALID, FORMAT_UNSUPPORTED, a file error, and what `taker` throws.
 */
export async function readArchive(file: string, taker: ArchiveTaker, signal: AbortSignal): Promise<BackupList> {
  const input = createReadStream(file);
  const gunzip = createGunzip();
  input.on("error", (error) => gunzip.destroy(error));
  // The reader gets each error; one that comes after its end is of no use.
  gunzip.on("error", () => undefined);
  input.pipe(gunzip);
  const stop = (): void => void gunzip.destroy(signal.reason as Error);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await new ArchiveReader(file, gunzip as AsyncIterable<Buffer>).read(taker);
  } catch (error) {
    signal.throwIfAborted();
    if (isGzipError(error)) throw invalidBackup(file, "it is damaged or no gzip file");
    throw errnoOf(error) === undefined ? error : fileError(error, "read", file);
  } finally {
    signal.removeEventListener("abort", stop);
    input.destroy();
    gunzip.destroy();
  }
}
