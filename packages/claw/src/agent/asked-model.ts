import type { Settings } from "claw-contract";
import { ClawError, costOf, priceOf } from "claw-contract";
import { pricesOf } from "../settings/index.ts";
import type { ProviderChoice } from "./providers/index.ts";
import { chooseProvider, openProvider } from "./providers/index.ts";
import type { ModelUsage, Provider } from "./providers/provider.ts";
import type { CostOf } from "./turn/spending.ts";

/** Inputs for choosing the provider of a model and for opening that provider. */
export interface AskingOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly settings: Settings;
  /** How often a request is sent at most, and the silence after which it counts as failed. */
  readonly attempts?: number | undefined;
  readonly idleMs?: number | undefined;
}

/** A chosen model, the provider that serves it, and the price function; `costOf` is null without a known price. */
export interface AskedModel {
  readonly choice: ProviderChoice;
  readonly provider: Provider;
  readonly costOf: CostOf | null;
}

/** Chooses and opens the provider of a model. Throws when the key is missing or invalid, or the address is invalid. */
export function askFor(model: string, options: AskingOptions): AskedModel {
  const { settings, env, cwd, attempts, idleMs } = options;
  const choice = chooseProvider(model, settings, env);
  const retries = attempts === undefined ? {} : { retries: { maxAttempts: attempts } };
  const provider = openProvider(choice, { env, cwd, ...retries, ...(idleMs === undefined ? {} : { idleMs }) });
  const { prices } = pricesOf(settings, env);
  const isPriced = priceOf(choice.model, prices) !== undefined;
  const cost = (usage: ModelUsage): number => costOf(choice.model, usage, prices) ?? 0;
  return { choice, provider, costOf: isPriced ? cost : null };
}

/** Refuses a budget for a model without a known price, before any request. Throws INVALID_FLAG_VALUE. */
export function requirePrice({ choice, costOf: cost }: AskedModel, budgetUsd: number | null): void {
  if (budgetUsd === null || cost !== null) return;
  throw new ClawError("INVALID_FLAG_VALUE", `no price is known for ${choice.model}, so no budget can be held`, {
    operation: "open_agent",
    target: "--budget-usd",
    hint: "Add its price to `prices` in the settings, or limit the run with --max-turns.",
  });
}
