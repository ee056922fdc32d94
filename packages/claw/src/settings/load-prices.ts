import { resolve } from "node:path";
import type { Environment, PriceOverrides, Settings } from "claw-contract";
import { LIMITS, objectOf, parseJson, PRICES_AS_OF } from "claw-contract";
import { readSmallFile } from "../files/index.ts";
import { loadSettings } from "./load-settings.ts";
import { configHome } from "./settings-files.ts";
import { settingsProblem } from "./settings-rules.ts";

/** The user's own prices, and the date of the newest price table in use. */
export interface LoadedPrices {
  /** Prices from settings. They take precedence over claw's built-in prices. */
  readonly prices: PriceOverrides;
  /** The date of the file, or of claw's built-in prices. */
  readonly asOf: string;
  /** The file named in the settings; null without one. */
  readonly path: string | null;
  /** Why the file is ignored; null when the file is used. */
  readonly problem: string | null;
}

const BUILT_IN = { prices: {}, asOf: PRICES_AS_OF, path: null, problem: null };
const DATE = /^\d{4}-\d{2}-\d{2}$/;

function readPrices(path: string): LoadedPrices {
  const refused = (problem: string): LoadedPrices => ({ ...BUILT_IN, path, problem: `${path} ${problem}` });
  const file = readSmallFile(path, LIMITS.settingsBytes);
  if (file.kind !== "text") return refused("cannot be read");
  const { as_of: asOf, prices } = objectOf(parseJson(file.text));
  if (typeof asOf !== "string" || !DATE.test(asOf)) return refused("has no date in `as_of`, for example 2026-11-01");
  const problem = prices === undefined ? "has no `prices`" : settingsProblem({ prices });
  return problem === undefined ? { prices: prices as PriceOverrides, asOf, path, problem: null } : refused(problem);
}

/** The prices from settings: inline prices first, then the prices of the named file. An unusable file is ignored. */
export function pricesOf({ prices = {}, pricesFile }: Settings, env: Environment): LoadedPrices {
  if (pricesFile === undefined) return { ...BUILT_IN, prices };
  const file = readPrices(resolve(configHome(env) ?? ".", pricesFile));
  return { ...file, prices: { ...file.prices, ...prices } };
}

/** The prices that hold in a folder. */
export const loadPrices = (cwd: string, env: Environment): LoadedPrices => pricesOf(loadSettings(cwd, env).merged, env);
