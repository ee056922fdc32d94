import type { ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A provider that answers at once and notes when it was asked and when it had answered. */
export interface TimedServer {
  /** Base of the API. */
  readonly url: string;
  /** Begins anew: so many calls of a tool are asked for before the final text. */
  expect(toolCalls: number): void;
  /** When each request came and when its answer had gone, in milliseconds of this process. */
  times(): readonly { readonly askedAt: number; readonly answeredAt: number }[];
  close(): Promise<void>;
}

const event = (data: { readonly type: string }): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const USAGE = { input_tokens: 100, output_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

const start = (id: number): string =>
  event({
    type: "message_start",
    message: {
      id: `msg_${id}`,
      type: "message",
      role: "assistant",
      model: "claude-opus-4-5",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: USAGE,
    },
  } as { type: string });

const end = (reason: string): string =>
  event({ type: "content_block_stop", index: 0 } as { type: string }) +
  event({ type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage: USAGE } as {
    type: string;
  }) +
  event({ type: "message_stop" });

const block = (content: object, delta: object): string =>
  event({ type: "content_block_start", index: 0, content_block: content } as { type: string }) +
  event({ type: "content_block_delta", index: 0, delta } as { type: string });

const toolAnswer = (id: number): string =>
  start(id) +
  block(
    { type: "tool_use", id: `toolu_${id}`, name: "read_file", input: {} },
    { type: "input_json_delta", partial_json: '{"path":"small.txt"}' },
  ) +
  end("tool_use");

const textAnswer = (id: number): string =>
  start(id) + block({ type: "text", text: "" }, { type: "text_delta", text: "The answer is 42." }) + end("end_turn");

/** Starts it on a free port of the loopback. */
export async function startTimedServer(): Promise<TimedServer> {
  let wanted = 0;
  let times: { askedAt: number; answeredAt: number }[] = [];
  const answer = (response: ServerResponse, askedAt: number): void => {
    const time = { askedAt, answeredAt: Number.NaN };
    times.push(time);
    const body = times.length <= wanted ? toolAnswer(times.length) : textAnswer(times.length);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(body, () => {
      time.answeredAt = performance.now();
    });
  };
  const server = createServer((request, response) => {
    const askedAt = performance.now();
    request.resume();
    request.on("end", () => answer(response, askedAt));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    expect: (toolCalls) => {
      wanted = toolCalls;
      times = [];
    },
    times: () => times,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
