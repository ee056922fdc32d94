/** Something that is done with a text. */
export type Work = (text: string) => unknown;

/** Makes a text of about so many characters. */
export type MakeText = (length: number) => string;

const FACTOR = 8;
/** Work in proportion grows by `FACTOR`, that of the square by its square. Between the two, nearer to the first. */
const MOST = 24;
const ATTEMPTS = 6;
const FIRST_LENGTH = 64;
const LAST_LENGTH = 128 * 1024;
/** Shorter times say more of the clock than of the work. */
const TELLING_MS = 0.3;

/** Time that processors gave to this process: it does not grow when others want them too. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The shortest of several times: whatever else the process does only adds to it. */
export function shortestMs(work: Work, text: string, times = 3): number {
  let best = Infinity;
  for (let time = 0; time < times; time += 1) {
    const started = processorMs();
    work(text);
    best = Math.min(best, processorMs() - started);
  }
  return best;
}

/** A length at which the work takes long enough to be measured; undefined when none does. */
function tellingLength(work: Work, make: MakeText): number | undefined {
  for (let length = FIRST_LENGTH; length <= LAST_LENGTH; length *= 2) {
    if (shortestMs(work, make(length), 2) >= TELLING_MS) return length;
  }
  return undefined;
}

/**
 * How much more work a text of eight times the length is, when that is too much; undefined when the work grows with the
 * length. Both are measured side by side, and one good measurement among several is enough.
 */
export function growsTooFast(work: Work, make: MakeText): number | undefined {
  const length = tellingLength(work, make);
  if (length === undefined) return undefined;
  const [short, long] = [make(length), make(FACTOR * length)];
  let least = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && least > MOST; attempt += 1) {
    least = Math.min(least, shortestMs(work, long) / shortestMs(work, short));
  }
  return least > MOST ? least : undefined;
}

/** Makes a text of a piece again and again between two ends. */
export const pumped =
  (before: string, piece: string, after: string): MakeText =>
  (length) =>
    before + piece.repeat(Math.max(1, Math.ceil(length / piece.length))) + after;
