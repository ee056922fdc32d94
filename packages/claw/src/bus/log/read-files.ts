import { close, open, read as readBytes } from "node:fs";
import { promisify } from "node:util";

const openFile = promisify(open);
const closeFile = promisify(close);

/** Most files kept open. Readers in different segments need a file each. */
const OPEN_FILES = 16;

/**
 * Reads pieces of files without blocking the process. Files stay open, because readers usually read on in the same
 * file.
 */
export interface ReadFiles {
  /** Fills a buffer from a position on. Resolves with how many bytes there were; rejects when it cannot be read. */
  read(path: string, buffer: Buffer, position: number): Promise<number>;
  /** Resolves when all files are closed, except files being read, which are closed afterwards. Idempotent. */
  close(): Promise<void>;
}

interface OpenFile {
  readonly fd: Promise<number>;
  readers: number;
  dropped: boolean;
}

const readPiece = (fd: number, buffer: Buffer, position: number): Promise<number> =>
  new Promise((resolve, reject) => {
    readBytes(fd, buffer, 0, buffer.length, position, (error, bytes) => (error ? reject(error) : resolve(bytes)));
  });

/** Closes a dropped file without readers. A file that could not be opened needs no closing. */
async function closeIdle(file: OpenFile): Promise<void> {
  if (!file.dropped || file.readers > 0) return;
  const [opened] = await Promise.allSettled([file.fd]);
  if (opened.status === "fulfilled") await closeFile(opened.value);
}

export function createReadFiles(): ReadFiles {
  // Ordered by last use, the newest last.
  const files = new Map<string, OpenFile>();
  let closed = false;
  const drop = async (path: string, file: OpenFile): Promise<void> => {
    if (files.get(path) === file) files.delete(path);
    file.dropped = true;
    await closeIdle(file);
  };
  const take = (path: string): OpenFile => {
    const file = files.get(path) ?? { fd: openFile(path, "r"), readers: 0, dropped: closed };
    files.delete(path);
    if (!closed) files.set(path, file);
    file.readers += 1;
    return file;
  };
  const trim = async (): Promise<void> => {
    const [oldest] = files;
    if (files.size > OPEN_FILES && oldest !== undefined) await drop(...oldest);
  };
  return {
    read: async (path, buffer, position) => {
      const file = take(path);
      try {
        return await readPiece(await file.fd, buffer, position);
      } catch (error) {
        await drop(path, file);
        throw error;
      } finally {
        file.readers -= 1;
        await closeIdle(file);
        await trim();
      }
    },
    close: async () => {
      closed = true;
      await Promise.all([...files].map(([path, file]) => drop(path, file)));
    },
  };
}
