/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** So many of the given things, each as likely as the others; the same ones for the same seed. */
export function chooseSome<Thing>(things: readonly Thing[], count: number, seed: number): Thing[] {
  const random = randomNumbers(seed);
  const left = [...things];
  const taken = Math.min(count, left.length);
  return Array.from({ length: taken }).flatMap(() => left.splice(Math.floor(random() * left.length), 1));
}
