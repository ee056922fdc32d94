import { createReadStream, mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ClawError } from "claw-contract";
import { errnoOf, fileError } from "../../files/index.ts";
import type { EventSpool } from "../../harness/index.ts";
import { createLineFile } from "../../harness/index.ts";
import type { Ports } from "../runtime/handle.ts";

/** A recorded stream, and a file for the stream's events. */
export interface Recording {
  /** The bytes of the stream, readable once. Rejects with a ClawError when they cannot be read. */
  chunks(): AsyncIterable<Uint8Array>;
  readonly spool: EventSpool;
  /** Closes the file. Idempotent. */
  close(): void;
}

const STANDARD_INPUT = "-";

function readError(error: unknown, file: string): unknown {
  if (errnoOf(error) !== "ENOENT") return fileError(error, "read", file);
  return new ClawError("RECORDING_NOT_FOUND", `there is no recording ${file}`, {
    operation: "read",
    target: file,
    cause: error,
  });
}

async function* readFile(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { signal }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    signal.throwIfAborted();
    throw readError(error, path);
  }
}

async function* readInput({ stdin, signal }: Ports): AsyncGenerator<Uint8Array> {
  for await (const chunk of stdin.chunks()) {
    signal.throwIfAborted();
    yield chunk;
  }
}

/** A private temporary file, created when the first line is appended or the path is read. */
function createTemporarySpool(): Pick<Recording, "spool" | "close"> {
  let file: { readonly path: string; readonly lines: ReturnType<typeof createLineFile> } | undefined;
  const open = () => {
    const path = join(mkdtempSync(join(tmpdir(), "claw-stream-")), "events.jsonl");
    return { path, lines: createLineFile(path) };
  };
  return {
    spool: {
      append: (line) => (file ??= open()).lines.append(line),
      appendBytes: (lines) => (file ??= open()).lines.appendBytes(lines),
      get path() {
        return (file ??= open()).path;
      },
      problem: () => file?.lines.problem() ?? null,
    },
    close: () => file?.lines.close(),
  };
}

/** A recording in a file can be read again, so no second file holds its events. */
const heldBy = (path: string): Pick<Recording, "spool" | "close"> => ({
  spool: { append: () => undefined, appendBytes: () => undefined, path, problem: () => null },
  close: () => undefined,
});

function requireInput({ stdin }: Ports): void {
  if (!stdin.isTerminal()) return;
  throw new ClawError("MISSING_ARGUMENT", "there is no recording: neither a file nor standard input", {
    operation: "parse_arguments",
    target: "FILE",
  });
}

/** Finds a recording. Throws when it is not there. */
export function openRecording(file: string, ports: Ports): Recording {
  if (file === STANDARD_INPUT) {
    requireInput(ports);
    return { chunks: () => readInput(ports), ...createTemporarySpool() };
  }
  const path = resolve(ports.cwd, file);
  const chunks = (): AsyncIterable<Uint8Array> => readFile(path, ports.signal);
  try {
    return { chunks, ...(statSync(path).isFile() ? heldBy(path) : createTemporarySpool()) };
  } catch (error) {
    throw readError(error, path);
  }
}
