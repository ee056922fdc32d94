import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { createAnthropicProvider } from "./anthropic/anthropic.ts";
import { createOpenAiProvider } from "./openai/openai.ts";
import { failureOf } from "./testing/ask.ts";

/** Says something that nobody can read, and never hangs up by itself. */
const server = createServer((incoming, response) => {
  incoming.resume();
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write('event: content_block_delta\ndata: {"type":"content_block_delta","index":9,"delta":{}}\n\n');
  response.write('data: {"choices":[{"delta":{"tool_calls":[{"index":0}]}}]}\n\n');
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
afterAll(() => void server.close());
const { port } = server.address() as AddressInfo;

test.each([
  ["Messages", createAnthropicProvider({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "sk-test-0123456789" })],
  ["Chat Completions", createOpenAiProvider({ baseUrl: `http://127.0.0.1:${port}/v1` })],
])("an answer of %s that makes no sense is hung up on", async (_name, provider) => {
  const closed = once(server, "connection").then(([socket]) => once(socket as NodeJS.EventEmitter, "close"));
  expect(await failureOf(provider)).toMatchObject({ code: "RETRIES_EXHAUSTED" });
  await closed;
});
