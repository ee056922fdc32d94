import { resolve } from "node:path";
import type { PriceOverrides, Settings } from "@claw/contract";
import { fieldsOf, LIMITS, PRICES_AS_OF } from "@claw/contract";
import { readSmallFile } from "../files/index.ts";
import { loadSettings } from "./load-settings.ts";
import { configHome } from "./settings-files.ts";
import { settingsProblem } from "./settings-rules.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Prices of the user's own, and how old the newest table is that counts. */
export interface LoadedPrices {
  /** They come before those that are part of claw. */
  readonly prices: PriceOverrides;
  /** The day of the file, or of the prices that are part of claw. */
  readonly asOf: string;
  /** The file that the settings name; null when they name none. */
  readonly path: string | null;
  /** Why that file does not count; null when it does. */
  readonly problem: string | null;
}

const BUILT_IN = { prices: {}, asOf: PRICES_AS_OF, path: null, problem: null };
const DATE = /^\d{4}-\d{2}-\d{2}$/;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readPrices(path: string): LoadedPrices {
  const refused = (problem: string): LoadedPrices => ({ ...BUILT_IN, path, problem: `${path} ${problem}` });
  const file = readSmallFile(path, LIMITS.settingsBytes);
  if (file.kind !== "text") return refused("cannot be read");
  const { as_of: asOf, prices } = fieldsOf(parse(file.text));
  if (typeof asOf !== "string" || !DATE.test(asOf)) return refused("has no date in `as_of`, for example 2026-11-01");
  const problem = prices === undefined ? "has no `prices`" : settingsProblem({ prices });
  return problem === undefined ? { prices: prices as PriceOverrides, asOf, path, problem: null } : refused(problem);
}

/** The prices that settings name: their own first, then those of their file. A file that cannot be used counts for nothing. */
export function pricesOf({ prices = {}, pricesFile }: Settings, env: Env): LoadedPrices {
  if (pricesFile === undefined) return { ...BUILT_IN, prices };
  const file = readPrices(resolve(configHome(env) ?? ".", pricesFile));
  return { ...file, prices: { ...file.prices, ...prices } };
}

/** The prices that hold in a folder. */
export const loadPrices = (cwd: string, env: Env): LoadedPrices => pricesOf(loadSettings(cwd, env).merged, env);
