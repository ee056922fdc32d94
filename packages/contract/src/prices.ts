import type { PriceRow, Rates } from "./price-row.ts";
import { PRICE_ROWS } from "./prices.generated.ts";

export { PRICES_AS_OF } from "./prices.generated.ts";

/** Dollars for a million tokens. What is not said of the cache costs as much as other input. */
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

/** Prices of one's own by model id, before those of the table. */
export type PriceOverrides = Readonly<Record<string, ModelPrice>>;

/** What a request used. Input does not count what came from or went into the cache. */
export interface UsedTokens {
  readonly input_tokens?: number | undefined;
  readonly output_tokens?: number | undefined;
  readonly cache_creation_input_tokens?: number | undefined;
  /** How many of the tokens that went into the cache stay there for an hour. */
  readonly cache_creation_1h_input_tokens?: number | undefined;
  readonly cache_read_input_tokens?: number | undefined;
}

const ROWS: ReadonlyMap<string, PriceRow> = new Map(
  PRICE_ROWS.flatMap((row) => row.names.map((name): [string, PriceRow] => [name, row])),
);

/** Every id a model is known by here. */
export const MODEL_NAMES: readonly string[] = [...ROWS.keys()];

/** Hosts and vendors before an id: `openrouter/anthropic/`, `bedrock/us.anthropic.`, `vertex_ai/`. */
const PROVIDER =
  /^(?:(?:openrouter|anthropic|openai|google|x-ai|azure|bedrock|vertex_ai|gemini)\/|(?:(?:us|eu|apac|global)\.)?anthropic\.)+/;
/** What Claude Code adds for a larger window. */
const WINDOW = /\[\d+[km]\]$/i;
/** How Bedrock counts the editions of a model. */
const EDITION = /-v\d+(?::\d+)?$/;
const DATE = /(-latest|[-@]\d{8}|-\d{4}-\d{2}-\d{2})$/;
const MILLION = 1_000_000;
/** An hour in the cache costs twice the input, five minutes one and a quarter of it. */
const HOUR_FACTOR = 1.6;

/** The id; then the id without a provider, window or edition; then without a date. Nothing looser: that would be guessing. */
function namesFor(model: string): string[] {
  const plain = model.replace(WINDOW, "").replace(PROVIDER, "").replace(EDITION, "");
  return [model, plain, plain.replace(DATE, "")];
}

const ratesOf = ({ input, output, cacheRead = input, cacheWrite = input }: TokenPrice): Rates => [
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

function ratesFor(model: string, inputTokens: number, overrides: PriceOverrides): Rates | undefined {
  const own = overrideFor(model, overrides);
  if (own !== undefined) return ratesOf(own.above?.findLast(({ tokens }) => inputTokens > tokens) ?? own);
  const row = rowFor(model);
  return row?.above?.findLast(({ tokens }) => inputTokens > tokens)?.rates ?? row?.rates;
}

/** The price of a model for requests of a usual size, or undefined when it is not known. */
export function priceOf(model: string, overrides: PriceOverrides = {}): Required<TokenPrice> | undefined {
  const rates = ratesFor(model, 0, overrides);
  if (rates === undefined) return undefined;
  const [input, output, cacheRead, cacheWrite] = rates;
  return { input, output, cacheRead, cacheWrite };
}

/** What one request cost in dollars, or undefined when the price of the model is not known. */
export function costOf(model: string, usage: UsedTokens, overrides: PriceOverrides = {}): number | undefined {
  const { input_tokens: input = 0, output_tokens: output = 0 } = usage;
  const { cache_read_input_tokens: read = 0, cache_creation_input_tokens: written = 0 } = usage;
  const hour = Math.min(usage.cache_creation_1h_input_tokens ?? 0, written);
  const rates = ratesFor(model, input + read + written, overrides);
  if (rates === undefined) return undefined;
  const writing = (written - hour + hour * HOUR_FACTOR) * rates[3];
  return (input * rates[0] + output * rates[1] + read * rates[2] + writing) / MILLION;
}

/** How many tokens a model takes in and gives out at once, or undefined when that is not known. */
export const contextWindow = (model: string): number | undefined => rowFor(model)?.window;
