/** Dollars for a million tokens: input, output, read from the cache, written to the cache. */
export type PriceRates = readonly [input: number, output: number, cacheRead: number, cacheWrite: number];

/** A model's prices, in the compact form of the generated table. */
export interface PriceRow {
  /** Ids it is known by, without dates. */
  readonly names: readonly string[];
  /** Tokens of a whole request and its answer, where it is known. */
  readonly window?: number;
  readonly rates: PriceRates;
  /** Other rates for the whole of a request whose input is larger than that, the smallest first. */
  readonly above?: readonly { readonly tokens: number; readonly rates: PriceRates }[];
}
