import type { ErrorCode, JsonObject } from "claw-contract";
import { ClawError } from "claw-contract";
import { describe, expect, test } from "vitest";
import type { ModelEvent, ModelRequest, ModelUsage, Provider } from "./provider.ts";
import { ask, assistant, call, failureOf, request, result, user } from "./testing/ask.ts";

/** What a model is to say in a test, whatever is behind it. */
export type PlotBlock =
  | { readonly kind: "text" | "thinking"; readonly text: string }
  | { readonly kind: "tool"; readonly name: string; readonly input: JsonObject; readonly inputText?: string };

export type PlotTurn =
  | { readonly blocks: readonly PlotBlock[]; readonly usage?: ModelUsage; readonly stop?: "max_tokens" }
  /** Says the last tool result. */
  | "echo-result"
  /** Fails with that row. */
  | { readonly fails: Extract<ErrorCode, "RATE_LIMIT_EXCEEDED" | "TOKEN_INVALID"> }
  /** Says `begun`, and then nothing more for as long as anybody waits. */
  | "hangs";

export interface Scene {
  readonly provider: Provider;
  readonly model: string;
}

const text = (said: string): PlotTurn => ({ blocks: [{ kind: "text", text: said }] });

/** What every provider does alike. `open` makes one whose model says these turns. */
export function describeProvider(name: string, open: (turns: readonly PlotTurn[]) => Promise<Scene>): void {
  const askScene = async (turns: readonly PlotTurn[], given: Partial<ModelRequest> = {}) => {
    const { provider, model } = await open(turns);
    return ask(provider, { model, ...given });
  };

  describe(`${name} as a provider`, () => {
    test("answers with what the model says, and says it as it comes", async () => {
      const { answer, events } = await askScene([text("Hello there, and here: 🙂 é.")]);
      expect(answer.blocks).toEqual([{ type: "text", text: "Hello there, and here: 🙂 é." }]);
      expect(answer.stopReason).toBe("end_turn");
      const spoken = events.map((event) => (event.kind === "text" ? event.text : event.kind));
      expect(spoken.join("")).toBe("Hello there, and here: 🙂 é.");
    });

    test("keeps thoughts apart from what is said", async () => {
      const { answer, events } = await askScene([
        {
          blocks: [
            { kind: "thinking", text: "Six times seven." },
            { kind: "text", text: "42" },
          ],
        },
      ]);
      expect(answer.blocks).toMatchObject([
        { type: "thinking", thinking: "Six times seven." },
        { type: "text", text: "42" },
      ]);
      expect([...new Set(events.map(({ kind }) => kind))]).toEqual(["thinking", "text"]);
    });

    test("hands over several tool calls in order, each with an id of its own", async () => {
      const inputs = [{ path: "one.txt" }, { path: "two.txt", deep: { list: [1, "é", null] } }];
      const blocks = inputs.map((input) => ({ kind: "tool" as const, name: "read_file", input }));
      const { answer, events } = await askScene([{ blocks }]);
      const calls = answer.blocks.flatMap((block) => (block.type === "tool_use" ? [block] : []));
      expect(calls.map(({ input }) => JSON.parse(input) as unknown)).toEqual(inputs);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
      const begun = events.filter(({ kind }) => kind === "tool-call");
      expect(begun).toEqual(calls.map(({ id }) => ({ kind: "tool-call", id, name: "read_file" })));
      const written = (of: string): string =>
        events.map((event) => (event.kind === "tool-input" && event.id === of ? event.text : "")).join("");
      expect(calls.map(({ id }) => written(id))).toEqual(calls.map(({ input }) => input));
      expect(answer.stopReason).toBe("tool_use");
    });

    test("hands over the input of a tool as it came, JSON or not", async () => {
      const block = { kind: "tool", name: "bash", input: {}, inputText: '{"command": "echo' } as const;
      const { answer } = await askScene([{ blocks: [block] }]);
      expect(answer.blocks).toMatchObject([{ type: "tool_use", name: "bash", input: '{"command": "echo' }]);
    });

    test("shows the model what its tools gave", async () => {
      const turns: PlotTurn[] = [{ blocks: [{ kind: "tool", name: "read_file", input: {} }] }, "echo-result"];
      const messages = [user("read it"), assistant(call("t1")), result("t1", 'line "one"\nline two')];
      const { answer } = await askScene(turns, { messages });
      expect(answer.blocks).toEqual([{ type: "text", text: 'line "one"\nline two' }]);
    });

    test("counts tokens, those of the cache apart", async () => {
      const usage = {
        input_tokens: 10,
        output_tokens: 7,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 90,
      };
      const { answer } = await askScene([{ blocks: [{ kind: "text", text: "42" }], usage }]);
      expect(answer.usage).toEqual(usage);
    });

    test("says when the answer was cut at its limit", async () => {
      const { answer } = await askScene([{ blocks: [{ kind: "text", text: "half" }], stop: "max_tokens" }]);
      expect(answer.stopReason).toBe("max_tokens");
    });

    test("says the same when it is asked the same again", async () => {
      const { provider, model } = await open([text("once"), text("never")]);
      expect((await ask(provider, { model })).answer.blocks).toEqual((await ask(provider, { model })).answer.blocks);
    });

    test.each(["RATE_LIMIT_EXCEEDED", "TOKEN_INVALID"] as const)("fails with %s of the catalogue", async (code) => {
      const { provider, model } = await open([{ fails: code }]);
      const failure = await failureOf(provider, { model });
      expect([failure.code, failure.operation, failure.target]).toEqual([code, "ask_model", model]);
    });

    test("asks nobody when it is aborted before", async () => {
      const { provider, model } = await open([text("never")]);
      const events: ModelEvent[] = [];
      const reason = new ClawError("CANCELLED", "enough", { operation: "test", target: "turn" });
      const asking = provider.ask(request({ model }), (event) => void events.push(event), AbortSignal.abort(reason));
      await expect(asking).rejects.toBe(reason);
      expect(events).toEqual([]);
    });

    test("ends with the reason when it is aborted in the middle, and says nothing more", async () => {
      const { provider, model } = await open(["hangs"]);
      const leaving = new AbortController();
      const reason = new ClawError("CANCELLED", "enough", { operation: "test", target: "turn" });
      const events: ModelEvent[] = [];
      const take = (event: ModelEvent): void => {
        events.push(event);
        leaving.abort(reason);
      };
      await expect(provider.ask(request({ model }), take, leaving.signal)).rejects.toBe(reason);
      expect(events).toHaveLength(1);
    });
  });
}
