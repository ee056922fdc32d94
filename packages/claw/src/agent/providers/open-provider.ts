import { ClawError } from "claw-contract";
import { createAnthropicProvider } from "./anthropic/anthropic.ts";
import type { ProviderChoice } from "./choose-provider.ts";
import { createOpenAiProvider } from "./openai/openai.ts";
import type { Provider } from "./provider.ts";
import type { RetryOptions } from "./retrying.ts";
import { withRetries } from "./retrying.ts";
import { createScriptedProvider } from "./scripted/scripted.ts";
import { doubtfulModel } from "./unknown-model.ts";

export interface OpenProviderOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder that the paths of scripts start from. */
  readonly cwd: string;
  readonly retries?: RetryOptions;
  readonly idleMs?: number;
  readonly fetch?: typeof fetch;
}

interface Key {
  readonly variable: string;
  readonly value: string;
}

/** The key of a provider, checked before any request. Undefined when no key is set and none is needed. */
function readKey({ provider, model, keyVariables, keyRequired }: ProviderChoice, env: OpenProviderOptions["env"]) {
  const keys = keyVariables.map((variable): Key => ({ variable, value: env[variable]?.trim() ?? "" }));
  const key = keys.find(({ value }) => value !== "");
  if (key === undefined) {
    if (!keyRequired) return undefined;
    const names = keyVariables.join(" or ");
    const doubt = doubtfulModel(model);
    const unknown = doubt === undefined ? "" : `; claw knows no model '${model}'`;
    throw new ClawError("TOKEN_MISSING", `${names} is not set, which ${provider} needs for ${model}${unknown}`, {
      operation: "open_provider",
      target: keyVariables[0] ?? provider,
      hint: `${doubt === undefined ? "" : `${doubt} `}Set ${names}, or choose a model of another provider. Without a key: add --model scripted to see how claw answers, or run claw demo. claw doctor says what is missing here.`,
      details: { provider, variables: keyVariables },
    });
  }
  if (/^[\x21-\x7e]+$/.test(key.value)) return key;
  throw new ClawError("TOKEN_INVALID", `${key.variable} holds characters that no key has`, {
    operation: "open_provider",
    target: key.variable,
    details: { provider },
  });
}

function createProvider(choice: ProviderChoice, options: OpenProviderOptions): Provider {
  const { kind, provider: id, baseUrl } = choice;
  if (kind === "scripted" || baseUrl === null) return createScriptedProvider(options);
  const key = readKey(choice, options.env);
  const { idleMs, fetch } = options;
  const shared = {
    id,
    baseUrl,
    ...(idleMs === undefined ? {} : { idleMs }),
    ...(fetch === undefined ? {} : { fetch }),
  };
  if (kind === "openai") return createOpenAiProvider({ ...shared, apiKey: key?.value });
  const bearer = key?.variable === "ANTHROPIC_AUTH_TOKEN";
  return createAnthropicProvider({ ...shared, [bearer ? "authToken" : "apiKey"]: key?.value });
}

/**
 * Creates the chosen provider, which asks again when a failure may pass. Throws TOKEN_MISSING when a required key is
 * not set, and TOKEN_INVALID when a key holds characters that no key has. Loads and sends nothing before the first
 * `warm` or `ask`.
 */
export const openProvider = (choice: ProviderChoice, options: OpenProviderOptions): Provider =>
  withRetries(createProvider(choice, options), options.retries);
