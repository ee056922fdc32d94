/** What a shell with our integration says between its output. */
export type ShellMark =
  /** Its prompt is shown and it reads a command. */
  | { readonly kind: "prompt" }
  | { readonly kind: "start"; readonly command: string }
  | { readonly kind: "end"; readonly exitCode: number | null };

export interface MarkListener {
  output(bytes: Buffer): void;
  /** What was put out before it has been told. */
  mark(mark: ShellMark): void;
}

export interface MarkReader {
  push(chunk: Buffer): void;
  /** Whether the start of what may be a mark is held back. */
  holds(): boolean;
  /** Takes what is held back for output, unless it is a mark without doubt. */
  release(): void;
}

/** The number that no other program uses for its sequences. */
const SEQUENCE = 6973;
const BEL = 0x07;
const ESC = 0x1b;
/** A longer one is output. */
const MARK_BYTES = 256 * 1024;

export const markStart = (nonce: string): string => `\u001b]${SEQUENCE};${nonce};`;

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
 * Takes marks out of a shell's output. They bear a secret word, so that no output can pass for one; and since they are
 * taken out, none can be printed again from what was kept.
 */
export function createMarkReader(nonce: string, listener: MarkListener): MarkReader {
  const start = Buffer.from(markStart(nonce));
  let held: Buffer = Buffer.alloc(0);
  const put = (bytes: Buffer): void => {
    if (bytes.length > 0) listener.output(bytes);
  };
  /** Handles the mark at the front of the bytes; says how many it had, or nothing while it is not whole. */
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
