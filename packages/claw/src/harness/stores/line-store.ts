import { LF } from "claw-contract";

/**
 * Lines kept outside of the heap: as strings or objects they would make every collection of garbage wait and cost more.
 * Serves the rows `peak memory` and `claw run` of `harness`.
 */
export interface LineStore {
  add(line: string): void;
  /** Takes lines joined by LF, in UTF-8. The bytes are copied. */
  addBytes(lines: Uint8Array): void;
  /** The lines as they were added. */
  lines(): Generator<string>;
  /** The lines in UTF-8, joined by LF, many at a time. */
  blocks(): Generator<Uint8Array>;
  clear(): void;
}

const SLAB_BYTES = 1024 * 1024;
/** The most bytes a UTF-16 unit becomes. */
const BYTES_PER_UNIT = 3;

interface Slab {
  readonly bytes: Buffer;
  used: number;
}

/** Lines must hold no LF. */
export function createLineStore(): LineStore {
  const slabs: Slab[] = [];

  /** A slab with room for so many bytes. */
  const slabFor = (needed: number): Slab => {
    const last = slabs.at(-1);
    if (last !== undefined && last.bytes.length - last.used >= needed) return last;
    const slab = { bytes: Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, needed)), used: 0 };
    slabs.push(slab);
    return slab;
  };

  return {
    add(line) {
      const last = slabs.at(-1);
      const fits = last !== undefined && last.bytes.length - last.used > line.length * BYTES_PER_UNIT;
      const slab = fits ? last : slabFor(Buffer.byteLength(line) + 1);
      slab.used += slab.bytes.write(line, slab.used);
      slab.used = slab.bytes.writeUInt8(LF, slab.used);
    },
    addBytes(lines) {
      const slab = slabFor(lines.length + 1);
      slab.bytes.set(lines, slab.used);
      slab.used = slab.bytes.writeUInt8(LF, slab.used + lines.length);
    },
    *lines() {
      for (const { bytes, used } of slabs) yield* bytes.toString("utf8", 0, used - 1).split("\n");
    },
    *blocks() {
      for (const { bytes, used } of slabs) yield bytes.subarray(0, used - 1);
    },
    clear: () => void slabs.splice(0),
  };
}

/** Lines that stand behind each other in the same bytes, gathered to be copied at once. */
export interface AsciiSpan {
  /** Takes the bytes of a line, without its LF. */
  add(bytes: Uint8Array, start: number, end: number): void;
  /** Hands over the gathered lines. The bytes may be overwritten afterwards. */
  end(): void;
}

/**
 * Gives `take` as many lines at a time as stand together, joined by LF. Serves the rows `claw run` of `harness`: the
 * bytes of an agent are stored as they came, without being encoded again.
 */
export function createAsciiSpan(take: (lines: Uint8Array) => void): AsciiSpan {
  let source: Uint8Array | null = null;
  let from = 0;
  let to = 0;
  const end = (): void => {
    if (source !== null) take(source.subarray(from, to));
    source = null;
  };
  return {
    add(bytes, start, stop) {
      if (source !== bytes || start !== to + 1) {
        end();
        source = bytes;
        from = start;
      }
      to = stop;
    },
    end,
  };
}
