import { createRedactor, LIMITS } from "claw-contract";
import { brokenStream } from "../model-failure.ts";
import { OpenAiAnswer } from "./openai-answer.ts";
import { openAiRequest } from "./openai-request.ts";
import type { Provider } from "../provider.ts";
import { readServerEvents } from "../stream-events.ts";
import type { FetchWatch } from "../watched-fetch.ts";

export interface OpenAiOptions {
  /** With `/v1`, as `OPENAI_BASE_URL` has it. */
  readonly baseUrl: string;
  /** Not needed by a private server. */
  readonly apiKey?: string | undefined;
  /** Name of the provider in messages; `openai` by default. */
  readonly id?: string;
  readonly fetch?: typeof fetch;
  /** Silence after which a request counts as failed. */
  readonly idleMs?: number;
}

/** Whether thoughts are sent back. OpenAI's own server never sends thoughts, and refuses unknown fields. */
const sendsThoughts = (baseUrl: string): boolean => new URL(baseUrl).hostname !== "api.openai.com";

async function openClient({ baseUrl, apiKey }: OpenAiOptions, { fetch }: FetchWatch, idleMs: number) {
  const { OpenAI } = await import("./openai-sdk.ts");
  // Without these options the SDK would read the environment, or write to the console.
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    ...(apiKey === undefined ? { defaultHeaders: { authorization: null } } : {}),
    fetch,
    maxRetries: 0,
    // Later than the time limit of the watch, which can tell a stall from other failures.
    timeout: idleMs + 60_000,
    logLevel: "off",
  });
}

/** Models behind the Chat Completions API, of OpenAI and of compatible servers. */
export function createOpenAiProvider(options: OpenAiOptions): Provider {
  const { id = "openai", idleMs = LIMITS.modelSilentMs, apiKey, baseUrl } = options;
  const redact = createRedactor({ secrets: [apiKey ?? ""] }).redactText;
  return {
    id,
    warm: async () => {
      // Reading `Response` makes Node load the whole of fetch.
      void globalThis.Response;
      await import("./openai-sdk.ts");
    },
    ask: async (request, emit, signal) => {
      const asked = { provider: id, model: request.model, redact };
      const open = async (watch: FetchWatch) => {
        const client = await openClient(options, watch, idleMs);
        const params = openAiRequest(request, sendsThoughts(baseUrl));
        return client.chat.completions.create(params, { signal: watch.signal });
      };
      const answer = new OpenAiAnswer(emit);
      const call = { ...asked, open, ended: () => answer.ended(), idleMs, fetch: options.fetch ?? fetch };
      for await (const chunk of readServerEvents(call, signal)) {
        const wrong = answer.take(chunk);
        if (wrong !== undefined) throw brokenStream(asked, wrong);
      }
      const whole = answer.whole();
      if (whole === undefined) throw brokenStream(asked, "the stream ended before the answer did");
      return whole;
    },
  };
}
