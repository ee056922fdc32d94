import { createRandom } from "../../test/reliability/random.ts";

/** So many of the given things, each as likely as the others; the same ones for the same seed. */
export function chooseSome<Thing>(things: readonly Thing[], count: number, seed: number): Thing[] {
  const random = createRandom(seed);
  const left = [...things];
  const taken = Math.min(count, left.length);
  return Array.from({ length: taken }).flatMap(() => left.splice(random.below(left.length), 1));
}
