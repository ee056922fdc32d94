import { expect } from "vitest";

interface Item {
  readonly id: string;
  readonly type: string;
}

interface StreamEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly output_index?: number;
  readonly item_id?: string;
  readonly item?: Item;
  readonly delta?: string;
  readonly response?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** By the type of an item: the events that stand around its deltas, the family of these, and where their text ends up. */
const ITEMS: Readonly<Record<string, { readonly part?: string; readonly deltas: string; readonly field: string }>> = {
  message: { part: "content_part", deltas: "output_text", field: "text" },
  reasoning: { part: "reasoning_summary_part", deltas: "reasoning_summary_text", field: "text" },
  function_call: { deltas: "function_call_arguments", field: "arguments" },
  custom_tool_call: { deltas: "custom_tool_call_input", field: "input" },
};

function take(queue: StreamEvent[], type: string): StreamEvent {
  const event = queue.shift();
  expect(event?.type).toBe(`response.${type}`);
  return event as StreamEvent;
}

/** One item from where it is added to where it is done; takes its events off the queue. */
function readItem(queue: StreamEvent[], index: number): unknown {
  const added = take(queue, "output_item.added");
  const { id, type } = added.item as Item;
  const { part, deltas, field } = ITEMS[type] as (typeof ITEMS)[string];
  const place = { output_index: index, item_id: id };
  if (part !== undefined) expect(take(queue, `${part}.added`)).toMatchObject({ ...place, part: { text: "" } });
  let text = "";
  while (queue[0]?.type === `response.${deltas}.delta`) {
    expect(queue[0]).toMatchObject(place);
    text += String(queue.shift()?.delta);
  }
  expect(take(queue, `${deltas}.done`)).toMatchObject({ ...place, [field]: text });
  if (part !== undefined) expect(take(queue, `${part}.done`)).toMatchObject({ ...place, part: { text } });
  const done = take(queue, "output_item.done");
  expect([added.output_index, done.output_index, done.item?.id]).toEqual([index, index, id]);
  expect(JSON.stringify(done.item)).toContain(JSON.stringify(text).slice(1, -1));
  return done.item;
}

/** Reads the events of a stream as a client does, refuses what breaks the grammar, and returns the response they make. */
export function readResponseStream(events: readonly unknown[]): unknown {
  const queue = [...(events as readonly StreamEvent[])];
  expect(queue.map((event) => event.sequence_number)).toEqual(queue.map((_, index) => index));
  const begun = { status: "in_progress", output: [] };
  expect(take(queue, "created").response).toMatchObject(begun);
  expect(take(queue, "in_progress").response).toMatchObject(begun);
  const output: unknown[] = [];
  while (queue[0]?.type === "response.output_item.added") output.push(readItem(queue, output.length));
  const last = queue.shift();
  expect([last?.type, queue]).toEqual([`response.${String(last?.response?.["status"])}`, []]);
  return { ...last?.response, output };
}
