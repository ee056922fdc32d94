import type { PriceRow, PriceRates } from "./price-row.ts";
import { PRICE_ROWS } from "./prices.generated.ts";

export { PRICES_AS_OF } from "./prices.generated.ts";

/** Dollars for a million tokens. Cache prices that are absent equal the input price. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

/** The prices of a model: those of a usual request, and those of a request whose input is larger than `tokens`. */
export interface ModelPrice extends TokenPrice {
  readonly above?: readonly (TokenPrice & { readonly tokens: number })[] | undefined;
}

/** The user's prices by model id; they take precedence over the table. */
export type PriceOverrides = Readonly<Record<string, ModelPrice>>;

/** Tokens of one request. Input tokens do not include tokens read from or written to the cache. */
export interface PricedTokens {
  readonly input_tokens?: number | undefined;
  readonly output_tokens?: number | undefined;
  readonly cache_creation_input_tokens?: number | undefined;
  /** Tokens written to the cache that stay there for an hour. */
  readonly cache_creation_1h_input_tokens?: number | undefined;
  readonly cache_read_input_tokens?: number | undefined;
}

const ROWS: ReadonlyMap<string, PriceRow> = new Map(
  PRICE_ROWS.flatMap((row) => row.names.map((name): [string, PriceRow] => [name, row])),
);

/** Every known model id. */
export const MODEL_NAMES: readonly string[] = [...ROWS.keys()];

/** Hosts and vendors before an id: `openrouter/anthropic/`, `bedrock/us.anthropic.`, `vertex_ai/`. */
const PROVIDER =
  /^(?:(?:openrouter|anthropic|openai|google|x-ai|azure|bedrock|vertex_ai|gemini)\/|(?:(?:us|eu|apac|global)\.)?anthropic\.)+/;
/** Suffix that Claude Code adds for a larger window. */
const WINDOW = /\[\d+[km]\]$/i;
/** Suffix by which Bedrock numbers the editions of a model. */
const EDITION = /-v\d+(?::\d+)?$/;
const DATE = /(-latest|[-@]\d{8}|-\d{4}-\d{2}-\d{2})$/;
const MILLION = 1_000_000;
/** An hour in the cache costs twice the input, five minutes one and a quarter of it. */
const HOUR_FACTOR = 1.6;

/**
 * The id; then the id without provider, window and edition; then also without the date. A looser match would be a
 * guess.
 */
function namesFor(model: string): string[] {
  const plain = model.replace(WINDOW, "").replace(PROVIDER, "").replace(EDITION, "");
  return [model, plain, plain.replace(DATE, "")];
}

const ratesOf = ({ input, output, cacheRead = input, cacheWrite = input }: TokenPrice): PriceRates => [
  input,
  output,
  cacheRead,
  cacheWrite,
];

function rowFor(model: string): PriceRow | undefined {
  const name = namesFor(model).find((each) => ROWS.has(each));
  return name === undefined ? undefined : ROWS.get(name);
}

function overrideFor(model: string, overrides: PriceOverrides): ModelPrice | undefined {
  const name = namesFor(model).find((each) => Object.hasOwn(overrides, each));
  return name === undefined ? undefined : overrides[name];
}

function ratesFor(model: string, inputTokens: number, overrides: PriceOverrides): PriceRates | undefined {
  const own = overrideFor(model, overrides);
  if (own !== undefined) return ratesOf(own.above?.findLast(({ tokens }) => inputTokens > tokens) ?? own);
  const row = rowFor(model);
  return row?.above?.findLast(({ tokens }) => inputTokens > tokens)?.rates ?? row?.rates;
}

/** The price of a model for requests of a usual size; undefined when unknown. */
export function priceOf(model: string, overrides: PriceOverrides = {}): Required<TokenPrice> | undefined {
  const rates = ratesFor(model, 0, overrides);
  if (rates === undefined) return undefined;
  const [input, output, cacheRead, cacheWrite] = rates;
  return { input, output, cacheRead, cacheWrite };
}

/** Cost of one request in dollars; undefined when the price of the model is unknown. */
export function costOf(model: string, usage: PricedTokens, overrides: PriceOverrides = {}): number | undefined {
  const { input_tokens: input = 0, output_tokens: output = 0 } = usage;
  const { cache_read_input_tokens: read = 0, cache_creation_input_tokens: written = 0 } = usage;
  const hour = Math.min(usage.cache_creation_1h_input_tokens ?? 0, written);
  const rates = ratesFor(model, input + read + written, overrides);
  if (rates === undefined) return undefined;
  const writing = (written - hour + hour * HOUR_FACTOR) * rates[3];
  return (input * rates[0] + output * rates[1] + read * rates[2] + writing) / MILLION;
}

/** Tokens a model can take in and give out in one request; undefined when unknown. */
export const contextWindow = (model: string): number | undefined => rowFor(model)?.window;
