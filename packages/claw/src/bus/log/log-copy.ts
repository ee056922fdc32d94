import { LIMITS } from "claw-contract";
import type { FileSystem } from "../../files/index.ts";
import { PRIVATE_FOLDER, syncFile, syncFolder, withFileErrors, writeAllBytes } from "../../files/index.ts";
import type { StoredEvent } from "./event-log.ts";
import { logLine } from "./log-line.ts";
import { findEnd, listSegments, openSegment } from "./segment-files.ts";

/** Lines are written in pieces of about this size. */
const PIECE_CHARACTERS = 256 * 1024;

/** A log in a folder that is filled from another log. No daemon uses the folder yet. */
export interface LogCopy {
  /** The sequence of the newest event that was written, by this or an earlier process; 0 without any. */
  head(): number;
  /** Adds an event with its own sequence, higher than any before. Throws a file error. */
  add(event: StoredEvent): void;
  /** Has all events on disk. Throws a file error. */
  close(): void;
}

class SegmentCopy implements LogCopy {
  readonly #fs: FileSystem;
  readonly #directory: string;
  #fd: number | undefined;
  #size = 0;
  #head = 0;
  #lines = "";

  constructor(fs: FileSystem, directory: string) {
    this.#fs = fs;
    this.#directory = directory;
    fs.mkdirSync(directory, { recursive: true, mode: PRIVATE_FOLDER });
    const { first } = listSegments(fs, directory).at(-1) ?? {};
    if (first === undefined) return;
    this.#fd = openSegment(fs, directory, first);
    const { size, last, torn } = findEnd(fs, this.#fd);
    if (torn > 0) fs.ftruncateSync(this.#fd, size);
    this.#size = size;
    this.#head = last ?? first - 1;
  }

  head(): number {
    return this.#head;
  }

  add(event: StoredEvent): void {
    const isFull = this.#size + this.#lines.length >= LIMITS.logSegmentBytes;
    if (this.#fd === undefined || isFull) this.#begin(event.sequence);
    this.#lines += logLine(event);
    this.#head = event.sequence;
    if (this.#lines.length >= PIECE_CHARACTERS) this.#write();
  }

  close(): void {
    this.#finish();
    withFileErrors("sync", this.#directory, () => syncFolder(this.#fs, this.#directory));
  }

  #begin(first: number): void {
    this.#finish();
    this.#fd = withFileErrors("open", this.#directory, () => openSegment(this.#fs, this.#directory, first));
    this.#size = 0;
  }

  #write(): void {
    const fd = this.#fd;
    const bytes = Buffer.from(this.#lines);
    this.#lines = "";
    if (fd === undefined || bytes.length === 0) return;
    withFileErrors("append", this.#directory, () => writeAllBytes(this.#fs, fd, bytes));
    this.#size += bytes.length;
  }

  #finish(): void {
    this.#write();
    const fd = this.#fd;
    if (fd === undefined) return;
    this.#fd = undefined;
    withFileErrors("sync", this.#directory, () => {
      syncFile(this.#fs, fd);
      this.#fs.closeSync(fd);
    });
  }
}

/** Opens a folder to fill it with a log, and goes on after the newest event that an earlier process wrote. */
export const openLogCopy = (fs: FileSystem, directory: string): LogCopy =>
  withFileErrors("open", directory, () => new SegmentCopy(fs, directory));
