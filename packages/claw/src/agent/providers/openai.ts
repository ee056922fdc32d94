import { createRedactor, LIMITS } from "@claw/contract";
import { brokenStream } from "./model-failure.ts";
import { OpenAiAnswer } from "./openai-answer.ts";
import { openAiRequest } from "./openai-request.ts";
import type { Provider } from "./provider.ts";
import { streamEvents } from "./stream-events.ts";
import type { Watch } from "./watched-fetch.ts";

export interface OpenAiOptions {
  /** With `/v1`, as `OPENAI_BASE_URL` has it. */
  readonly baseUrl: string;
  /** Not needed by servers of one's own. */
  readonly apiKey?: string | undefined;
  /** How it is called in messages; `openai` by default. */
  readonly id?: string;
  readonly fetch?: typeof fetch;
  /** Silence after which a request counts as failed. */
  readonly idleMs?: number;
}

/** OpenAI itself never tells its thoughts here, and refuses fields it does not know. */
const sendsThoughts = (baseUrl: string): boolean => new URL(baseUrl).hostname !== "api.openai.com";

async function openClient({ baseUrl, apiKey }: OpenAiOptions, { fetch }: Watch, idleMs: number) {
  const { OpenAI } = await import("./openai-sdk.ts");
  // Whatever is not given here the SDK would take from the environment, or write to the console.
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
    // Later than the watch, which tells a stall from other ends.
    timeout: idleMs + 60_000,
    logLevel: "off",
  });
}

/** Models behind the Chat Completions API, of OpenAI and of the many who speak it. */
export function createOpenAiProvider(options: OpenAiOptions): Provider {
  const { id = "openai", idleMs = LIMITS.modelSilentMs, apiKey, baseUrl } = options;
  const redact = createRedactor({ secrets: [apiKey ?? ""] }).redactText;
  return {
    id,
    warm: async () => {
      // Asking for the class loads the whole of fetch.
      void globalThis.Response;
      await import("./openai-sdk.ts");
    },
    ask: async (request, emit, signal) => {
      const asked = { provider: id, model: request.model, redact };
      const open = async (watch: Watch) => {
        const client = await openClient(options, watch, idleMs);
        const params = openAiRequest(request, sendsThoughts(baseUrl));
        return client.chat.completions.create(params, { signal: watch.signal });
      };
      const answer = new OpenAiAnswer(emit);
      const call = { ...asked, open, ended: () => answer.ended(), idleMs, fetch: options.fetch ?? fetch };
      for await (const chunk of streamEvents(call, signal)) {
        const wrong = answer.take(chunk);
        if (wrong !== undefined) throw brokenStream(asked, wrong);
      }
      const whole = answer.whole();
      if (whole === undefined) throw brokenStream(asked, "the stream ended before the answer did");
      return whole;
    },
  };
}
