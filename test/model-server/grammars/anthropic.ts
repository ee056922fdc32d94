import { expect } from "vitest";

interface Delta {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly signature?: string;
  readonly partial_json?: string;
  readonly stop_reason?: string;
  readonly stop_sequence?: string | null;
}

interface StreamEvent {
  readonly type: string;
  readonly index?: number;
  readonly message?: Readonly<Record<string, unknown>> & { readonly usage: Readonly<Record<string, unknown>> };
  readonly content_block?: Readonly<Record<string, unknown>>;
  readonly delta?: Delta;
  readonly usage?: { readonly output_tokens: number };
}

/** What a delta adds to, by the kind of block it may stand in. */
const FIELDS = {
  text_delta: ["text", "text"],
  thinking_delta: ["thinking", "thinking"],
  signature_delta: ["thinking", "signature"],
  input_json_delta: ["tool_use", "partial_json"],
} as const;

/** One block from its start to its stop; takes its events off the queue. */
function readBlock(queue: StreamEvent[], index: number): unknown {
  const start = queue.shift();
  expect(start).toMatchObject({ type: "content_block_start", index });
  const block: Record<string, unknown> = { ...start?.content_block };
  let json = "";
  for (let event = queue.shift(); event?.type !== "content_block_stop"; event = queue.shift()) {
    expect(event).toMatchObject({ type: "content_block_delta", index });
    const delta = event?.delta as Delta;
    const [kind, field] = FIELDS[delta.type as keyof typeof FIELDS];
    expect(block["type"]).toBe(kind);
    if (field === "partial_json") json += String(delta.partial_json);
    else block[field] = String(block[field]) + String(delta[field]);
  }
  return block["type"] === "tool_use" ? { ...block, input: JSON.parse(json) as unknown } : block;
}

/** Reads the events of a stream as a client does, refuses what breaks the grammar, and returns the message they make. */
export function readMessageStream(events: readonly unknown[]): unknown {
  const queue = (events as readonly StreamEvent[]).filter(({ type }) => type !== "ping");
  const start = queue.shift();
  expect(start).toMatchObject({ type: "message_start", message: { content: [], stop_reason: null } });
  const content: unknown[] = [];
  while (queue[0]?.type === "content_block_start") content.push(readBlock(queue, content.length));
  const [end, stop, ...rest] = queue;
  expect([end?.type, stop, rest]).toEqual(["message_delta", { type: "message_stop" }, []]);
  return { ...start?.message, content, ...end?.delta, usage: { ...start?.message?.usage, ...end?.usage } };
}
