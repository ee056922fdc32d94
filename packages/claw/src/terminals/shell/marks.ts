/** A mark that a shell with claw's integration writes into its output. */
export type ShellMark =
  /** The shell shows its prompt and reads a command. */
  | { readonly kind: "prompt" }
  | { readonly kind: "start"; readonly command: string }
  | { readonly kind: "end"; readonly exitCode: number | null };

export interface MarkListener {
  output(bytes: Buffer): void;
  /** Called after all output before the mark was delivered. */
  mark(mark: ShellMark): void;
}

export interface MarkReader {
  push(chunk: Buffer): void;
  /** Whether bytes that may start a mark are held back. */
  holds(): boolean;
  /** Delivers the held bytes as output, unless they are certainly a mark. */
  release(): void;
}

/** An OSC number that no other program uses. */
const MARK_CODE = 6973;
const BEL = 0x07;
const ESC = 0x1b;
/** A sequence longer than this is not a mark but output. */
const MARK_BYTES = 256 * 1024;

export const markBegin = (nonce: string): string => `\u001b]${MARK_CODE};${nonce};`;

const unescapeLine = (text: string): string =>
  text.replaceAll(/\\(.)/gs, (_, char: string) => (char === "n" ? "\n" : char));

function parseMark(text: string): ShellMark | undefined {
  const [kind, ...rest] = text.split(";");
  const value = rest.join(";");
  if (kind === "B") return { kind: "prompt" };
  if (kind === "C") return { kind: "start", command: unescapeLine(value) };
  if (kind === "D") return { kind: "end", exitCode: /^\d{1,3}$/.test(value) ? Number(value) : null };
  return undefined;
}

/** How many bytes at the end of a chunk may be the start of a mark. */
function doubtful(chunk: Buffer, start: Buffer): number {
  for (let at = chunk.indexOf(ESC, Math.max(0, chunk.length - start.length + 1)); at !== -1;) {
    if (chunk.compare(start, 0, chunk.length - at, at) === 0) return chunk.length - at;
    at = chunk.indexOf(ESC, at + 1);
  }
  return 0;
}

/**
 * Separates marks from a shell's output. Marks contain a secret word, so no program can forge one. Marks are removed
 * from the stored output, so replaying the output cannot produce one either.
 */
export function createMarkReader(nonce: string, listener: MarkListener): MarkReader {
  const start = Buffer.from(markBegin(nonce));
  let held: Buffer = Buffer.alloc(0);
  const put = (bytes: Buffer): void => {
    if (bytes.length > 0) listener.output(bytes);
  };
  /** Handles the mark at the front of the bytes. Returns the mark's length; undefined while the mark is incomplete. */
  const take = (bytes: Buffer): number | undefined => {
    const end = bytes.indexOf(BEL, start.length);
    if (end === -1 && bytes.length <= MARK_BYTES) return undefined;
    const mark = end === -1 ? undefined : parseMark(bytes.toString("utf8", start.length, end));
    if (mark !== undefined) listener.mark(mark);
    return end === -1 ? start.length : end + 1;
  };
  return {
    push: (chunk) => {
      let rest = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      held = Buffer.alloc(0);
      for (let at = rest.indexOf(start); at !== -1; at = rest.indexOf(start)) {
        put(rest.subarray(0, at));
        const length = take(rest.subarray(at));
        if (length === undefined) {
          held = rest.subarray(at);
          return;
        }
        rest = rest.subarray(at + length);
      }
      const kept = doubtful(rest, start);
      put(rest.subarray(0, rest.length - kept));
      held = rest.subarray(rest.length - kept);
    },
    holds: () => held.length > 0,
    release: () => {
      if (held.length === 0 || held.length >= start.length) return;
      const bytes = held;
      held = Buffer.alloc(0);
      put(bytes);
    },
  };
}
