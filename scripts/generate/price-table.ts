import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { MatchLogic, ModelInfo, ModelPrice } from "@pydantic/genai-prices";
import { findProvider } from "@pydantic/genai-prices";
import type { PriceRow } from "../../packages/contract/src/models/price-row.ts";

/** When the installed release of the source was made. A new release needs a new line. */
const RELEASES: Readonly<Record<string, string>> = { "0.1.8": "2026-09-23" };

/** Providers whose ids name one model at one price. Open models cost what their host asks. */
const FAMILIES: Readonly<Record<string, RegExp>> = {
  anthropic: /^claude-/,
  openai: /^(chatgpt|codex|gpt|o\d)/,
  google: /^gemini-/,
  "x-ai": /^grok-/,
};

/** Models that the source does not know yet, at the list prices by which Claude Code 2.1.325 counts them. */
const MORE_ROWS: readonly PriceRow[] = [
  { names: ["claude-sonnet-5-5", "claude-sonnet-5.5"], window: 1_000_000, rates: [2, 10, 0.1, 2.5] },
  {
    names: ["claude-haiku-5-5", "claude-haiku-5.5"],
    rates: [0.1, 0.5, 0.01, 0.125],
    above: [{ tokens: 100_000, rates: [0.5, 2.5, 0.05, 0.625] }],
  },
];

const NOT_FOR_TEXT = /audio|image|realtime|transcribe|tts|embedding|voice|live|omni|instruct|oss|\.ft-/;

interface Rates {
  readonly from: number;
  readonly rates: readonly number[];
}

const manifest = fileURLToPath(new URL("../../node_modules/@pydantic/genai-prices/package.json", import.meta.url));

function releaseDate(): string {
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  const date = RELEASES[version];
  if (date === undefined) throw new Error(`no date is known for release ${version} of the prices`);
  return date;
}

/** The ids a matcher names. Its patterns stand for dates, which are taken off before looking anything up. */
function namesIn(match: MatchLogic): string[] {
  if ("or" in match) return match.or.flatMap(namesIn);
  if ("and" in match) return match.and.flatMap(namesIn);
  if ("regex" in match) return [];
  const [name = ""] = Object.values(match);
  return [name.replace(/[-@]$/, "")];
}

/** Of prices that change, those that held on the day of the release. */
function pricesOn({ prices }: ModelInfo, date: string): ModelPrice {
  if (!Array.isArray(prices)) return prices;
  const held = prices.filter(({ constraint }) => {
    if (constraint === undefined) return true;
    return constraint.type === "start_date" && constraint.start_date <= date;
  });
  return held.at(-1)?.prices ?? {};
}

function tiersOf(prices: ModelPrice): Rates[] {
  const { input_mtok: input, output_mtok: output } = prices;
  const values = [input, output, prices["cache_read_mtok"] ?? input, prices["cache_write_mtok"] ?? input];
  const starts = values.flatMap((value) => (typeof value === "object" ? value.tiers.map(({ start }) => start) : []));
  return [0, ...new Set(starts)]
    .sort((a, b) => a - b)
    .map((from) => ({
      from,
      rates: values.map((value) => {
        if (typeof value !== "object") return value ?? 0;
        return value.tiers.findLast(({ start }) => start <= from)?.price ?? value.base;
      }),
    }));
}

function rowOf(model: ModelInfo, family: RegExp, date: string): string[] {
  const prices = pricesOn(model, date);
  const names = [...new Set([model.id, ...namesIn(model.match)])].filter((name) => family.test(name)).toSorted();
  if (NOT_FOR_TEXT.test(model.id) || names.length === 0) return [];
  if (prices["input_mtok"] === undefined || prices["output_mtok"] === undefined) return [];
  const [base, ...above] = tiersOf(prices);
  const row = {
    names,
    ...(model.context_window === undefined ? {} : { window: model.context_window }),
    rates: base?.rates,
    ...(above.length === 0 ? {} : { above: above.map(({ from, rates }) => ({ tokens: from, rates })) }),
  };
  return [`  ${JSON.stringify(row)},`];
}

/** A row of our own stands only until the source has the model. */
const moreRows = (rows: readonly string[]): string[] =>
  MORE_ROWS.filter(({ names }) => names.every((name) => !rows.some((row) => row.includes(`"${name}"`)))).map(
    (row) => `  ${JSON.stringify(row)},`,
  );

/** What models cost, from a table that others keep. */
export function priceTable(): Map<string, string> {
  const date = releaseDate();
  const known = Object.entries(FAMILIES).flatMap(([providerId, family]) =>
    (findProvider({ providerId })?.models ?? []).flatMap((model) => rowOf(model, family, date)),
  );
  const rows = [...known, ...moreRows(known)];
  const text = [
    "// Made by `npm run generate` from @pydantic/genai-prices (MIT).",
    'import type { PriceRow } from "./price-row.ts";',
    "",
    "/** The day the prices were gathered. */",
    `export const PRICES_AS_OF = ${JSON.stringify(date)};`,
    "",
    "/** What models cost, by the ids they are known by. */",
    "export const PRICE_ROWS: readonly PriceRow[] = [",
    ...rows,
    "];",
    "",
  ];
  return new Map([["packages/contract/src/models/prices.generated.ts", text.join("\n")]]);
}
