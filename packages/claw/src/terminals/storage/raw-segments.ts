import { constants } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import type { FileSystem } from "../../files/index.ts";
import { nodeFileSystem, openUnshared, writeAllBytes } from "../../files/index.ts";
import type { RawSegment } from "./raw-folder.ts";
import { segmentName } from "./raw-folder.ts";

export interface SegmentsOptions {
  readonly folder: string;
  readonly segmentBytes?: number;
  readonly retainBytes?: number;
  readonly fs?: FileSystem;
}

export interface RawSegments {
  /** Appends all bytes, or throws and appends none. */
  write(bytes: Buffer): void;
  all(): readonly RawSegment[];
  close(): void;
}

/** Truncates a partial write to a full disk, so that all bytes can be written again later. */
function writeOrUndo(fs: FileSystem, fd: number, { bytes, size }: { bytes: Buffer; size: number }): void {
  try {
    writeAllBytes(fs, fd, bytes);
  } catch (error) {
    fs.ftruncateSync(fd, size);
    throw error;
  }
}

const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;

type Growing = RawSegment & { size: number };

/** The segment files of the log. Bytes are appended to the last file; the oldest files are removed. */
export function createSegments(options: SegmentsOptions): RawSegments {
  const { folder, segmentBytes = LIMITS.terminalSegmentBytes, retainBytes = LIMITS.terminalLogBytes } = options;
  const { fs = nodeFileSystem } = options;
  let segments: Growing[] = [];
  let fd: number | undefined;
  const begin = (start: number): void => {
    const path = join(folder, segmentName(start));
    const opened = openUnshared(fs, path, APPEND);
    if (fd !== undefined) fs.closeSync(fd);
    fd = opened;
    segments.push({ path, start, size: 0 });
  };
  const trim = (total: number): void => {
    for (let first = segments[0]; first !== undefined && segments.length > 1; first = segments[0]) {
      if (total - (first.start + first.size) < retainBytes) return;
      fs.unlinkSync(first.path);
      segments = segments.slice(1);
    }
  };
  return {
    all: () => segments,
    write: (bytes) => {
      const last = segments.at(-1);
      const end = last === undefined ? 0 : last.start + last.size;
      if (fd === undefined || last === undefined || last.size >= segmentBytes) begin(end);
      const current = segments.at(-1);
      if (fd === undefined || current === undefined) return;
      writeOrUndo(fs, fd, { bytes, size: current.size });
      current.size += bytes.length;
      trim(end + bytes.length);
    },
    close: () => {
      if (fd !== undefined) fs.closeSync(fd);
      fd = undefined;
    },
  };
}
