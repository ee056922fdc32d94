/** Lines kept outside of the heap: as strings or objects they would make every collection of garbage wait and cost more. */
export interface LineStore {
  add(line: string): void;
  /** The lines as they were added. */
  lines(): Generator<string>;
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

  /** A slab with room for a line and its end. */
  const slabFor = (line: string): Slab => {
    const last = slabs.at(-1);
    if (last !== undefined && last.bytes.length - last.used > line.length * BYTES_PER_UNIT) return last;
    const needed = Buffer.byteLength(line) + 1;
    if (last !== undefined && last.bytes.length - last.used >= needed) return last;
    const slab = { bytes: Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, needed)), used: 0 };
    slabs.push(slab);
    return slab;
  };

  return {
    add(line) {
      const slab = slabFor(line);
      slab.used += slab.bytes.write(line, slab.used);
      slab.used = slab.bytes.writeUInt8(0x0a, slab.used);
    },
    *lines() {
      for (const { bytes, used } of slabs) yield* bytes.toString("utf8", 0, used - 1).split("\n");
    },
    clear: () => void slabs.splice(0),
  };
}
