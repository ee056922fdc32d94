import { closeSync, constants, openSync } from "node:fs";
import { join } from "node:path";
import type { Redactor } from "claw-contract";
import { LIMITS } from "claw-contract";
import {
  errnoOf,
  nodeFileSystem,
  PRIVATE_FILE,
  randomSuffix,
  withFileErrors,
  writeAllBytes,
} from "../../../files/index.ts";
import { openOutputsFolder } from "../../sandbox/outputs-folder.ts";

/** A whole output on its way to the disk. */
export interface SpillFile {
  readonly path: string;
  /** Adds a chunk. Never throws: data that the disk does not take is missing, and `close` reports that. */
  write(chunk: Uint8Array): void;
  /** Closes the file. `isWhole` is false when the disk or the limit left a part out. */
  close(): { readonly bytes: number; readonly isWhole: boolean };
}

/** Stores outputs that are too long to be shown. */
export interface Spill {
  /** Makes a file for one output. Throws ClawError when the disk refuses. The caller closes the file. */
  open(label: string): SpillFile;
}

export interface SpillOptions {
  /** Root of the workspace; files are below `.claw/outputs`. */
  readonly root: string;
  readonly redactor: Pick<Redactor, "redactText">;
}

const BLOCK_CHARS = 256 * 1024;
/** Most characters of a key in several lines. The redactor masks such a key only when it gets the whole key at once. */
const KEY_CHARS = 64 * 1024;

/** Where a text may be cut so that no line, and no key of several lines, is torn. */
function cutAt(text: string): number {
  const line = text.lastIndexOf("\n") + 1;
  const key = text.lastIndexOf("-----BEGIN");
  const isKeyOpen = key >= 0 && text.indexOf("-----END", key) < 0 && text.length - key < KEY_CHARS;
  const end = isKeyOpen ? Math.min(key, line) : line;
  if (end > 0 || text.length < 2 * BLOCK_CHARS) return end;
  // A line without an end: cut at a space, as far back as a secret could reach.
  const space = text.lastIndexOf(" ", text.length - KEY_CHARS);
  return space > 0 ? space : text.length - KEY_CHARS;
}

/** Masks secrets in a text that comes in pieces; emits whole lines. */
function createMasker(redactText: (text: string) => string, emit: (text: string) => void) {
  const decoder = new TextDecoder();
  let held = "";
  return {
    push: (chunk: Uint8Array): void => {
      held += decoder.decode(chunk, { stream: true });
      if (held.length < BLOCK_CHARS) return;
      const end = cutAt(held);
      if (end === 0) return;
      emit(redactText(held.slice(0, end)));
      held = held.slice(end);
    },
    end: (): void => {
      emit(redactText(held + decoder.decode()));
      held = "";
    },
  };
}

function openSpillFile(path: string, redactText: (text: string) => string): SpillFile {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
  const fd = openSync(path, flags, PRIVATE_FILE);
  let bytes = 0;
  let isWhole = true;
  const masker = createMasker(redactText, (text) => {
    const data = Buffer.from(text);
    isWhole &&= bytes + data.length <= LIMITS.spillBytes;
    if (!isWhole) return;
    try {
      writeAllBytes(nodeFileSystem, fd, data);
      bytes += data.length;
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
      isWhole = false;
    }
  });
  return {
    path,
    write: masker.push,
    close: () => {
      masker.end();
      closeSync(fd);
      return { bytes, isWhole };
    },
  };
}

/** Keeps whole outputs in the workspace, without secrets, for its owner alone. */
export function createSpill({ root, redactor }: SpillOptions): Spill {
  return {
    open: (label) =>
      withFileErrors("keep_output", root, () => {
        const name = `${label.replaceAll(/[^a-zA-Z0-9_-]/g, "-")}-${Date.now().toString(36)}-${randomSuffix()}.txt`;
        return openSpillFile(join(openOutputsFolder(root), name), redactor.redactText);
      }),
  };
}
