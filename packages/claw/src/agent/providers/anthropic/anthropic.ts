import { createRedactor, LIMITS } from "claw-contract";
import { AnthropicAnswer } from "./anthropic-answer.ts";
import { anthropicRequest } from "./anthropic-request.ts";
import { brokenStream } from "../model-failure.ts";
import type { Provider } from "../provider.ts";
import { readServerEvents } from "../stream-events.ts";
import type { FetchWatch } from "../watched-fetch.ts";

export interface AnthropicOptions {
  /** Without `/v1`. */
  readonly baseUrl: string;
  /** Sent as `x-api-key`. Either `apiKey` or `authToken` is needed. */
  readonly apiKey?: string | undefined;
  /** Sent as a bearer token. */
  readonly authToken?: string | undefined;
  /** Name of the provider in messages; `anthropic` by default. */
  readonly id?: string;
  readonly fetch?: typeof fetch;
  /** Silence after which a request counts as failed. */
  readonly idleMs?: number;
}

async function openClient({ baseUrl, apiKey, authToken }: AnthropicOptions, { fetch }: FetchWatch, idleMs: number) {
  const { BaseAnthropic, Messages } = await import("./anthropic-sdk.ts");
  // Without these options the SDK would read the environment, or write to the console.
  const client = new BaseAnthropic({
    baseURL: baseUrl,
    ...(apiKey === undefined
      ? { authToken: authToken ?? "" }
      : // Gateways accept a key only as `x-api-key`; the SDK also sends it as a bearer token.
        { apiKey, defaultHeaders: { "x-api-key": apiKey, authorization: null } }),
    fetch,
    maxRetries: 0,
    // Later than the time limit of the watch, which can tell a stall from other failures.
    timeout: idleMs + 60_000,
    logLevel: "off",
    openTelemetry: false,
  });
  return new Messages(client);
}

/** Models behind Anthropic's Messages API. */
export function createAnthropicProvider(options: AnthropicOptions): Provider {
  const { id = "anthropic", idleMs = LIMITS.modelIdleMs, apiKey, authToken } = options;
  const redact = createRedactor({ secrets: [apiKey ?? "", authToken ?? ""] }).redactText;
  return {
    id,
    warm: async () => {
      // Reading `Response` makes Node load the whole of fetch.
      void globalThis.Response;
      await import("./anthropic-sdk.ts");
    },
    ask: async (request, emit, signal) => {
      const asked = { provider: id, model: request.model, redact };
      const open = async (watch: FetchWatch) => {
        const messages = await openClient(options, watch, idleMs);
        return messages.create(anthropicRequest(request), { signal: watch.signal });
      };
      const answer = new AnthropicAnswer(emit);
      const call = { ...asked, open, ended: () => answer.ended(), idleMs, fetch: options.fetch ?? fetch };
      for await (const event of readServerEvents(call, signal)) {
        const wrong = answer.take(event);
        if (wrong !== undefined) throw brokenStream(asked, wrong);
      }
      const whole = answer.whole();
      if (whole === undefined) throw brokenStream(asked, "the stream ended before the message did");
      return whole;
    },
  };
}
