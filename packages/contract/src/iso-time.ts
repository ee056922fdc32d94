const MINUTE_MS = 60_000;
const SECOND_MS = 1000;
/** Minutes whose beginnings are remembered: a power of two. */
const KNOWN_MINUTES = 64;

/** The same as `toISOString`. Remembers the beginnings of minutes: a long list has many times of few minutes. */
function createIsoWriter(): (time: number) => string {
  const minutes = new Float64Array(KNOWN_MINUTES).fill(Number.NaN);
  const beginnings: string[] = Array.from({ length: KNOWN_MINUTES }, () => "");
  return (time) => {
    if (!Number.isInteger(time)) return new Date(time).toISOString();
    const minute = Math.floor(time / MINUTE_MS);
    const place = minute & (KNOWN_MINUTES - 1);
    if (minutes[place] !== minute) {
      beginnings[place] = new Date(time).toISOString().slice(0, -"00.000Z".length);
      minutes[place] = minute;
    }
    const left = time - minute * MINUTE_MS;
    const millis = left % SECOND_MS;
    const seconds = (left - millis) / SECOND_MS;
    const zeros = millis < 10 ? "00" : millis < 100 ? "0" : "";
    return `${beginnings[place]}${seconds < 10 ? "0" : ""}${seconds}.${zeros}${millis}Z`;
  };
}

const writeIso = createIsoWriter();

/** A time as JSON carries it. Serves the row `claw ps` of bench cluster. */
export const isoTime = (time: number | string): string => writeIso(typeof time === "number" ? time : Date.parse(time));
