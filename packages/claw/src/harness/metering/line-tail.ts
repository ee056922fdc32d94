import { closeSync, openSync, readSync } from "node:fs";
import type { JsonObject } from "claw-contract";
import { LIMITS } from "claw-contract";
import { readStreamLine } from "../stream/text-lines.ts";
import type { TextLines } from "../stream/text-lines.ts";
import { createTextLines } from "../stream/text-lines.ts";

/** Follows a file that another program appends lines of JSON to. */
export interface LineTail {
  /** The objects that were completed since the last call. A file that is gone or cannot be read gives none. */
  read(): readonly JsonObject[];
}

const CHUNK_BYTES = 256 * 1024;

class FileTail implements LineTail {
  readonly #path: string;
  readonly #lines: TextLines = createTextLines(LIMITS.runLineBytes);
  #offset = 0;

  constructor(path: string) {
    this.#path = path;
  }

  read(): readonly JsonObject[] {
    let fd: number;
    try {
      fd = openSync(this.#path, "r");
    } catch {
      // The file is the agent's and may go at any time.
      return [];
    }
    try {
      return [...this.#chunks(fd)].flatMap((line) => {
        const content = readStreamLine(line);
        return typeof content === "object" ? [content] : [];
      });
    } finally {
      closeSync(fd);
    }
  }

  *#chunks(fd: number): Generator<string> {
    for (;;) {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      const bytes = readSync(fd, chunk, 0, CHUNK_BYTES, this.#offset);
      if (bytes === 0) return;
      this.#offset += bytes;
      for (const line of this.#lines.push(chunk.subarray(0, bytes))) if (typeof line === "string") yield line;
    }
  }
}

export const createLineTail = (path: string): LineTail => new FileTail(path);
