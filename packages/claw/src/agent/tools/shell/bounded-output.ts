import { ClawError, replaceControls } from "claw-contract";
import type { Spill, SpillFile } from "./spill.ts";

/** The output of one pipe: the parts that may be shown, and the number of all bytes. */
interface Channel {
  readonly limit: number;
  head: Uint8Array[];
  headBytes: number;
  tail: Uint8Array[];
  tailBytes: number;
  bytes: number;
}

export type ChannelName = "stdout" | "stderr";

export interface OutputReport {
  readonly stdout: string;
  readonly stderr: string;
  /** The file with the whole output; null when the answer shows all output, or when the disk did not take the file. */
  readonly path: string | null;
  readonly bytes: number;
}

/** Collects the output of a command of any size in little memory. */
export interface BoundedOutput {
  push(name: ChannelName, chunk: Uint8Array): void;
  /** Ends the collection and closes the file. Call this once. */
  finish(): OutputReport;
}

const channel = (limit: number): Channel => ({ limit, head: [], headBytes: 0, tail: [], tailBytes: 0, bytes: 0 });

/**
 * Keeps the first half of the limit in `head`. Of the later bytes, keeps at least the last half of the limit in `tail`.
 */
function keepChunk(state: Channel, chunk: Uint8Array): void {
  const half = Math.floor(state.limit / 2);
  const room = Math.max(0, half - state.headBytes);
  // Copies, so that the large buffers behind the chunks can be freed.
  if (room > 0) state.head.push(Uint8Array.from(chunk.subarray(0, room)));
  state.headBytes += Math.min(room, chunk.length);
  state.bytes += chunk.length;
  const rest = chunk.subarray(room);
  if (rest.length === 0) return;
  state.tail.push(Uint8Array.from(rest.subarray(Math.max(0, rest.length - half))));
  state.tailBytes += Math.min(rest.length, half);
  if (state.tailBytes <= 2 * half) return;
  const kept = Buffer.concat(state.tail).subarray(-half);
  state.tail = [Uint8Array.from(kept)];
  state.tailBytes = kept.length;
}

/** How many characters at most are left out of a cut line. */
const CUT_CHARS = 500;

/** JSON would write each control character with six characters, so control characters are replaced. */
const printable = (bytes: Uint8Array): string =>
  replaceControls(new TextDecoder().decode(bytes), (odd) => (odd === "\r" ? "" : "�"));

/** The text without its last line, which is cut; of a long line, only the end is left out. */
const withoutLastLine = (text: string): string =>
  text.slice(0, Math.max(text.lastIndexOf("\n") + 1, text.length - CUT_CHARS));

function show(state: Channel, where: string): string {
  const head = Buffer.concat(state.head);
  const tail = Buffer.concat(state.tail);
  if (head.length + tail.length === state.bytes && state.bytes <= state.limit) {
    return printable(Buffer.concat([head, tail]));
  }
  const end = tail.subarray(-Math.floor(state.limit / 2));
  const start = withoutLastLine(printable(head));
  const left = state.bytes - head.length - end.length;
  return `${start}\n[${left} bytes left out; ${where}]\n${printable(end).replace(/^[^\n]{0,500}\n/, "")}`;
}

export interface BoundedOutputOptions {
  readonly spill: Spill;
  readonly label: string;
  /** How many bytes of stdout and stderr together may be shown. */
  readonly maxBytes: number;
}

/** Makes a collector. The file is made only when output has to be left out. */
export function createBoundedOutput({ spill, label, maxBytes }: BoundedOutputOptions): BoundedOutput {
  const stderrBytes = Math.floor(maxBytes / 3);
  const channels = { stdout: channel(maxBytes - stderrBytes), stderr: channel(stderrBytes) };
  let early: Uint8Array[] = [];
  let file: SpillFile | null = null;
  let isFull = false;
  const openFile = (): void => {
    isFull = true;
    try {
      file = spill.open(label);
      for (const chunk of early) file.write(chunk);
    } catch (error) {
      // A disk that cannot store the output does not make the command fail.
      if (!(error instanceof ClawError)) throw error;
    }
    early = [];
  };
  return {
    push: (name, chunk) => {
      keepChunk(channels[name], chunk);
      if (!isFull) early.push(Uint8Array.from(chunk));
      else file?.write(chunk);
      if (!isFull && channels[name].bytes > channels[name].limit) openFile();
    },
    finish: () => {
      const end = file?.close();
      const where =
        file === null
          ? "they could not be stored"
          : `${end?.isWhole === true ? "all of it is" : "what could be stored is"} in ${file.path}`;
      return {
        stdout: show(channels.stdout, where),
        stderr: show(channels.stderr, where),
        path: file?.path ?? null,
        bytes: channels.stdout.bytes + channels.stderr.bytes,
      };
    },
  };
}
