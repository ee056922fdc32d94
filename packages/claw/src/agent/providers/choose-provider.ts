import type { Environment } from "claw-contract";
import { anthropicBase, isOwnServer, ollamaBase, openAiBase } from "./base-url.ts";
import { isScripted } from "./scripted/scripted.ts";

/** A provider that settings name. */
export interface ProviderSetting {
  readonly kind: "anthropic" | "openai";
  readonly baseUrl: string;
  /** Environment variable that holds the provider's key. A provider without this field needs no key. */
  readonly apiKeyEnv?: string | undefined;
  /** Models that select this provider without the provider's name before the model. */
  readonly models?: readonly string[] | undefined;
}

export interface ModelSettings {
  readonly providers?: Readonly<Record<string, ProviderSetting>> | undefined;
  /** Short names of models. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
}

/** The provider that serves a model: API, address and key. */
export interface ProviderChoice {
  readonly kind: "anthropic" | "openai" | "scripted";
  /** Name of the provider in messages. */
  readonly provider: string;
  /** Null for a scripted model, which needs no network. */
  readonly baseUrl: string | null;
  /** Model id as the provider spells it. */
  readonly model: string;
  /** Environment variables that may hold the key; the first one with a value counts. */
  readonly keyVariables: readonly string[];
  readonly keyRequired: boolean;
}

/** The newest model of each family that has a known price. */
export const MODEL_ALIASES: Readonly<Record<string, string>> = {
  opus: "claude-opus-5-5",
  sonnet: "claude-sonnet-5",
  haiku: "claude-haiku-4-5",
};

/**
 * The model that an alias stands for. The user's aliases win over the built-in ones, and no alias is resolved twice.
 * Other names stay as they are.
 */
export function resolveAlias(model: string, aliases: Readonly<Record<string, string>> = {}): string {
  const own = Object.hasOwn(aliases, model) ? aliases[model] : undefined;
  return own ?? (Object.hasOwn(MODEL_ALIASES, model) ? MODEL_ALIASES[model] : undefined) ?? model;
}

/** Models that OpenAI hosts. Open models such as `gpt-oss` may run on any server. */
const OPENAI_MODEL = /^(gpt-(?!oss)|codex|o[134](?![a-z]))/;

const set = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined;

const anthropic = (model: string, env: Environment): ProviderChoice => ({
  kind: "anthropic",
  provider: "anthropic",
  baseUrl: anthropicBase(set(env, "ANTHROPIC_BASE_URL") ?? "https://api.anthropic.com", "ANTHROPIC_BASE_URL"),
  model,
  keyVariables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
  keyRequired: true,
});

function openAi(model: string, env: Environment): ProviderChoice {
  const baseUrl = openAiBase(set(env, "OPENAI_BASE_URL") ?? "https://api.openai.com/v1", "OPENAI_BASE_URL");
  const keyRequired = !isOwnServer(baseUrl);
  return { kind: "openai", provider: "openai", baseUrl, model, keyVariables: ["OPENAI_API_KEY"], keyRequired };
}

const openRouter = (model: string): ProviderChoice => ({
  kind: "openai",
  provider: "openrouter",
  baseUrl: "https://openrouter.ai/api/v1",
  model,
  keyVariables: ["OPENROUTER_API_KEY"],
  keyRequired: true,
});

const ollama = (model: string, env: Environment): ProviderChoice => ({
  kind: "openai",
  provider: "ollama",
  baseUrl: ollamaBase(set(env, "OLLAMA_HOST") ?? "127.0.0.1", "OLLAMA_HOST"),
  model,
  keyVariables: [],
  keyRequired: false,
});

/** Providers that can be named before a model without any settings. */
const BUILT_IN: Readonly<Record<string, (model: string, env: Environment) => ProviderChoice>> = {
  anthropic,
  openai: openAi,
  openrouter: openRouter,
  ollama,
};

function configured(name: string, setting: ProviderSetting, model: string): ProviderChoice {
  const { kind, apiKeyEnv } = setting;
  const base = kind === "anthropic" ? anthropicBase : openAiBase;
  const baseUrl = base(setting.baseUrl, `providers.${name}.baseUrl`);
  const keyVariables = apiKeyEnv === undefined ? [] : [apiKeyEnv];
  return {
    kind,
    provider: name,
    baseUrl,
    model,
    keyVariables,
    keyRequired: apiKeyEnv !== undefined && !isOwnServer(baseUrl),
  };
}

function bySettings(model: string, providers: NonNullable<ModelSettings["providers"]>): ProviderChoice | undefined {
  const entries = Object.entries(providers);
  const listing = entries.find(([, { models }]) => models?.includes(model));
  if (listing !== undefined) return configured(...listing, model);
  const named = entries.find(([name]) => model.startsWith(`${name}/`));
  return named && configured(...named, model.slice(named[0].length + 1));
}

function byPrefix(model: string, env: Environment): ProviderChoice | undefined {
  const [, name = "", rest = ""] = /^([a-z]+)\/(.+)$/.exec(model) ?? [];
  return Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name]?.(rest, env) : undefined;
}

function byEnvironment(model: string, env: Environment): ProviderChoice {
  if (set(env, "OPENAI_BASE_URL") !== undefined) return openAi(model, env);
  if (set(env, "OLLAMA_HOST") !== undefined) return ollama(model, env);
  const names = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"];
  if (names.some((name) => set(env, name) !== undefined)) return anthropic(model, env);
  return set(env, "OPENAI_API_KEY") === undefined ? anthropic(model, env) : openAi(model, env);
}

/**
 * Chooses the provider of a model and sends no request. Scripted models come first, then providers of the settings (by
 * listed model, then by name), names of built-in providers, known model ids, and last the addresses and keys of the
 * environment. Throws CONFIG_INVALID for an invalid address.
 */
export function chooseProvider(name: string, settings: ModelSettings, env: Environment): ProviderChoice {
  const model = resolveAlias(name, settings.aliases);
  if (isScripted(model)) {
    return { kind: "scripted", provider: "scripted", baseUrl: null, model, keyVariables: [], keyRequired: false };
  }
  const named = bySettings(model, settings.providers ?? {}) ?? byPrefix(model, env);
  if (named !== undefined) return named;
  if (model.startsWith("claude")) return anthropic(model, env);
  if (OPENAI_MODEL.test(model)) return openAi(model, env);
  return byEnvironment(model, env);
}
