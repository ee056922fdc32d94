import { dirname } from "node:path";
import type { AtomicFile, FileSystem } from "../../files/index.ts";
import { createAtomicFile, PRIVATE_FILE, PRIVATE_FOLDER, withFileErrors } from "../../files/index.ts";

/** Text that is kept in memory while it fits an answer and goes to a file once it does not. */
export interface ExportSink {
  readonly write: (text: string) => void;
  /** Returns the text, or the path of the file with the text. */
  readonly finish: () => { readonly text: string } | { readonly file: string };
  /** Removes an unfinished file. Harmless after `finish`. */
  readonly discard: () => void;
}

export interface SinkOptions {
  readonly files: FileSystem;
  /** File for the whole text; undefined to keep the text in memory while it fits an answer. */
  readonly target: { readonly file: string; readonly mode: number } | undefined;
  /** File for a text that does not fit an answer. */
  readonly spill: string;
  readonly maxBytes: number;
}

interface OpenFile {
  readonly path: string;
  readonly atomic: AtomicFile;
}

/** A JSON string may take three bytes for a character of the text. */
const BYTES_PER_CHARACTER = 3;

export function createExportSink({ files, target: given, spill, maxBytes }: SinkOptions): ExportSink {
  const open = (path: string, mode: number): OpenFile =>
    withFileErrors("write", path, () => {
      files.mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
      return { path, atomic: createAtomicFile(files, path, mode) };
    });
  let target = given === undefined ? undefined : open(given.file, given.mode);
  let held = "";
  return {
    write: (text) => {
      held += text;
      if (target === undefined && held.length * BYTES_PER_CHARACTER < maxBytes) return;
      target ??= open(spill, PRIVATE_FILE);
      const { path, atomic } = target;
      withFileErrors("write", path, () => atomic.write(held));
      held = "";
    },
    finish: () => {
      if (target === undefined) return { text: held };
      const { path, atomic } = target;
      withFileErrors("write", path, () => atomic.commit());
      return { file: path };
    },
    discard: () => target?.atomic.discard(),
  };
}
