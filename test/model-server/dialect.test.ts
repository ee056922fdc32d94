import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Dialect } from "./dialect.ts";
import { DIALECTS, dialectFor } from "./dialect.ts";
import { readChatStream } from "./grammars/chat.ts";
import { readResponseStream } from "./grammars/responses.ts";
import { readMessageStream } from "./grammars/anthropic.ts";
import type { Answer, Block } from "./model-scenario.ts";
import { say } from "./model-scenario.ts";
import { readSse, writeSse } from "./sse.ts";

const [anthropic, responses, chat, gemini] = DIALECTS as readonly [Dialect, Dialect, Dialect, Dialect];
const request = { number: 7, model: "a-model" };

const text = fc.string({ unit: "grapheme", maxLength: 60 });
const input = fc.dictionary(fc.constantFrom("command", "path", "content"), text);
const block: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ kind: fc.constant("text" as const), text }),
  fc.record({ kind: fc.constant("thinking" as const), text }),
  fc.record({ kind: fc.constant("tool" as const), name: fc.constantFrom("Bash", "exec_command"), input }),
  fc.record({ kind: fc.constant("freeform-tool" as const), name: fc.constant("apply_patch"), input: text }),
);
const answer: fc.Arbitrary<Answer> = fc.record(
  {
    kind: fc.constant("answer" as const),
    blocks: fc.array(block, { maxLength: 4 }),
    stop: fc.constantFrom("max_tokens" as const, "refusal" as const),
    inputTokens: fc.nat(),
    outputTokens: fc.nat(),
    cacheReadTokens: fc.nat(),
    cacheCreationTokens: fc.nat(),
  },
  { requiredKeys: ["kind", "blocks"] },
);

/** The events of an answer, written to a stream and read back. */
const streamed = (dialect: Dialect, said: Answer): unknown[] =>
  readSse(dialect.events(said, request).map(writeSse).join("")).map(({ event, data }) => {
    const parsed = JSON.parse(data) as { type: string };
    expect(parsed.type).toBe(event);
    return parsed;
  });

describe("the Messages API", () => {
  test("a stream keeps the grammar, and together its events say what the whole message says", () => {
    fc.assert(
      fc.property(answer, (said) => {
        expect(readMessageStream(streamed(anthropic, said))).toEqual(anthropic.whole(said, request));
      }),
    );
  });

  test("the message has the model that was asked for, and stops because of its tool", () => {
    const said: Answer = { kind: "answer", blocks: [{ kind: "tool", name: "Bash", input: { command: "ls" } }] };
    expect(anthropic.whole(said, request)).toEqual({
      id: "msg_7",
      type: "message",
      role: "assistant",
      model: "a-model",
      content: [{ type: "tool_use", id: "toolu_7_0", name: "Bash", input: { command: "ls" } }],
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: {
        input_tokens: 1000,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 20,
        service_tier: "standard",
      },
    });
    expect(anthropic.whole(say("done"), request)["stop_reason"]).toBe("end_turn");
  });
});

describe("the Responses API", () => {
  test("a stream keeps the grammar, and together its events say what the whole response says", () => {
    fc.assert(
      fc.property(answer, (said) => {
        expect(readResponseStream(streamed(responses, said))).toEqual(responses.whole(said, request));
      }),
    );
  });

  test("an answer that was cut short says why", () => {
    expect(responses.whole({ ...say("half"), stop: "max_tokens" }, request)).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
    });
  });
});

describe("the Chat Completions API", () => {
  const data = (said: Answer, includeUsage: boolean): string[] =>
    readSse(
      chat
        .events(said, { ...request, includeUsage })
        .map(writeSse)
        .join(""),
    ).map((event) => event.data);

  test("a stream keeps the grammar, and together its events say what the whole completion says", () => {
    // An empty text is not streamed, and is null in a whole.
    const said = answer.map((each) => ({
      ...each,
      blocks: each.blocks.filter((block) => !("text" in block) || block.text !== ""),
    }));
    fc.assert(
      fc.property(said, (each) => {
        expect(readChatStream(data(each, true))).toEqual(chat.whole(each, request));
      }),
    );
  });

  test("counts nothing unless it is asked to, or when the server never does", () => {
    const { usage: _usage, ...uncounted } = chat.whole(say("hello"), request);
    expect(readChatStream(data(say("hello"), false))).toEqual(uncounted);
    expect(readChatStream(data({ ...say("hello"), counts: false }, true))).toEqual(uncounted);
  });

  test("tools may be several, and their input need not be JSON", () => {
    const blocks = [
      { kind: "tool", name: "bash", input: {}, inputText: '{"command": ' },
      { kind: "tool", name: "read_file", input: { path: "a" } },
    ] as const;
    expect(chat.whole({ kind: "answer", blocks }, request)).toMatchObject({
      choices: [
        {
          finish_reason: "tool_calls",
          message: {
            content: null,
            tool_calls: [
              { id: "call_7_0", function: { name: "bash", arguments: '{"command": ' } },
              { id: "call_7_1", function: { name: "read_file", arguments: '{"path":"a"}' } },
            ],
          },
        },
      ],
    });
  });

  test("the cached part of a prompt is counted in it", () => {
    const said = { ...say("hello"), inputTokens: 10, outputTokens: 2, cacheReadTokens: 90 };
    expect(chat.whole(said, request)["usage"]).toEqual({
      prompt_tokens: 100,
      completion_tokens: 2,
      total_tokens: 102,
      prompt_tokens_details: { cached_tokens: 90 },
    });
  });
});

interface Generated {
  readonly candidates: readonly [
    { readonly content: { readonly parts: readonly { readonly text?: string; readonly thought?: true }[] } },
  ];
}

describe("the Gemini API", () => {
  test("the pieces of a stream are together what the whole answer is", () => {
    fc.assert(
      fc.property(answer, (said) => {
        const chunks = readSse(gemini.events(said, request).map(writeSse).join("")).map(
          ({ data }) => JSON.parse(data) as Generated,
        );
        const parts = chunks.flatMap(({ candidates: [{ content }] }) => content.parts);
        const texts = (all: readonly (typeof parts)[number][]): string =>
          all.map(({ text = "", thought }) => (thought === true ? "" : text)).join("");
        const others = (all: readonly (typeof parts)[number][]): unknown[] =>
          all.filter(({ text, thought }) => text === undefined || thought);
        const whole = (gemini.whole(said, request) as unknown as Generated).candidates[0].content.parts;
        expect([texts(parts), others(parts)]).toEqual([texts(whole), others(whole)]);
        const [last] = chunks.slice(-1);
        const { candidates, ...counts } = gemini.whole(said, request);
        expect(last).toEqual({
          ...counts,
          candidates: [{ ...(candidates as object[])[0], content: { role: "model", parts: [] } }],
        });
      }),
    );
  });

  test("the path names the model, and whether the answer is a stream", () => {
    expect(dialectFor("/v1beta/models/gemini-x:streamGenerateContent")).toEqual({
      dialect: gemini,
      model: "gemini-x",
      stream: true,
    });
    expect(dialectFor("/v1beta/models/gemini-x:generateContent")).toEqual({
      dialect: gemini,
      model: "gemini-x",
      stream: false,
    });
    expect(dialectFor("/v1beta/models/gemini-x:countTokens")).toBeUndefined();
    expect(dialectFor("/v1/messages")).toEqual({ dialect: anthropic });
  });

  test("a request is read as a conversation", () => {
    const call = { name: "read", args: {} };
    const contents = [
      { role: "user", parts: [{ text: "hi" }] },
      { role: "model", parts: [{ functionCall: call }] },
      { role: "user", parts: [{ functionResponse: { id: "1", name: "read", response: { output: "done" } } }] },
      { role: "model", parts: [{ text: "a" }] },
      { role: "model", parts: [{ text: "b" }] },
      { role: "user", parts: [{ functionResponse: { name: "read", response: { error: "no" } } }] },
    ];
    expect(gemini.read({ contents })).toEqual({
      prompts: ["hi"],
      turn: 2,
      output: "no",
      results: [
        { id: "1", name: "read", output: "done", isError: false },
        { id: "", name: "read", output: "no", isError: true },
      ],
    });
  });
});
