/** The end of a byte stream. */
export interface ByteTail {
  push(chunk: Uint8Array): void;
  /**
   * What is kept, as text; broken bytes become replacement characters. Where the beginning was cut off there is an
   * ellipsis, and what was left of the line or word that was cut is gone, so that no half of it is taken for a whole.
   */
  text(): string;
}

/** Keeps the last bytes of a stream, whatever its size: never more than twice `maxBytes`. */
export function createByteTail(maxBytes: number): ByteTail {
  let chunks: Uint8Array[] = [];
  let held = 0;
  let cut = false;
  const shrink = (): Uint8Array => {
    const all = Buffer.concat(chunks);
    const kept = all.subarray(Math.max(0, all.length - maxBytes));
    cut ||= kept.length < all.length;
    // A copy, so that the rest is let go.
    chunks = [Uint8Array.from(kept)];
    held = kept.length;
    return kept;
  };
  return {
    push: (chunk) => {
      const end = chunk.subarray(Math.max(0, chunk.length - maxBytes));
      cut ||= end.length < chunk.length;
      chunks.push(end);
      held += end.length;
      if (held > 2 * maxBytes) shrink();
    },
    text: () => {
      const text = new TextDecoder().decode(shrink());
      return cut ? `…${text.replace(text.includes("\n") ? /^[^\n]*\n/ : /^\S*\s?/, "")}` : text;
    },
  };
}
