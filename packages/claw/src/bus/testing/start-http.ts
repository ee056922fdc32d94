import { request } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import type { BusOptions } from "../bus.ts";
import type { TokenRequest, TokenStore } from "../access/tokens/index.ts";
import { createTokenStore } from "../access/tokens/index.ts";
import type { HttpOptions } from "../transports/http.ts";
import { createHttpTransport } from "../transports/http.ts";
import type { Frame, BusHarness } from "./bus-harness.ts";
import { startBus } from "./bus-harness.ts";

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Frame;
}

export interface HttpCall {
  readonly headers?: Record<string, string>;
  /** GET without a body, POST with one. */
  readonly method?: string;
  readonly body?: string;
}

export interface HttpScene extends BusHarness {
  readonly url: string;
  readonly port: number;
  readonly tokens: TokenStore;
  readonly mint: (request: TokenRequest) => { authorization: string };
  readonly ask: (path: string, options?: HttpCall) => Promise<HttpAnswer>;
}

const asJson = (text: string): Frame => (text === "" ? {} : (JSON.parse(text) as Frame));

function ask(port: number, path: string, options: HttpCall = {}): Promise<HttpAnswer> {
  const { headers = {}, body, method = body === undefined ? "GET" : "POST" } = options;
  return new Promise((resolve, reject) => {
    const call = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: asJson(text) }),
      );
    });
    call.on("error", reject);
    call.end(body);
  });
}

/** A bus behind a real server on a free port of the loopback. */
export async function startHttp(
  http: Partial<HttpOptions> = {},
  options: Partial<BusOptions> = {},
): Promise<HttpScene> {
  const tokens = createTokenStore(() => Date.parse("2026-01-01T00:00:00.000Z"));
  const scene = await startBus({ tokens, ...options });
  const transport = await scene.listen(createHttpTransport({ host: "127.0.0.1", port: 0, ...http }));
  const { url, port } = transport.address();
  return {
    ...scene,
    url,
    port,
    tokens,
    mint: (request) => ({ authorization: `Bearer ${tokens.mint(request)}` }),
    ask: (path, more) => ask(port, path, more),
  };
}
