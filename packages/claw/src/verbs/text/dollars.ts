/** Amounts below this limit get four decimal places, because two would show too little. */
const SMALL_USD = 0.1;

/** A sum of money for people: `$1.25`, `$0.0044`; `~$0.02` for what is only estimated. */
export function dollars(usd: number, isEstimate = false): string {
  const places = usd > 0 && usd < SMALL_USD ? 4 : 2;
  return `${isEstimate ? "~" : ""}$${usd.toFixed(places)}`;
}
