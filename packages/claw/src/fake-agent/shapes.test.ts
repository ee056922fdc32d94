import type { JsonObject } from "claw-contract";
import type { FakeScenarioText } from "claw-contract/schemas";
import { describe, expect, test } from "vitest";
import { BUILT_IN_SCENARIOS } from "./built-in-scenarios.ts";
import type { Played, PlayOptions } from "./testing/play-in-memory.ts";
import { playInMemory } from "./testing/play-in-memory.ts";
import { hasShape, kindOf, readRecorded } from "./testing/recorded-shapes.ts";

/** One of each step, with whatever makes its events differ. */
const EVERYTHING: FakeScenarioText = {
  steps: [
    { type: "thinking", text: "Hm." },
    { type: "text", text: "First." },
    { type: "tool", name: "Bash", input: { command: "ls" }, output: "a" },
    { type: "tool", name: "Bash", input: { command: "make" }, output: "Exit code 2", failed: true },
    { type: "tool", name: "Read", input: { file_path: "/a" }, output: "text" },
    { type: "tool", name: "Write", input: { file_path: "/a", content: "x" }, output: "done" },
    { type: "tool", name: "Edit", input: { file_path: "/a", old_string: "x", new_string: "y" }, output: "done" },
    { type: "tool", name: "mcp__tiny__add", input: { a: 1 }, output: "2" },
    { type: "tool", name: "mcp__tiny__add", input: { a: 1 }, output: "no", failed: true },
    {
      type: "sub_agent",
      steps: [
        { type: "thinking", text: "Hm." },
        { type: "text", text: "Looking." },
        { type: "tool", name: "Bash", input: { command: "ls" }, output: "a" },
      ],
      result: "7",
    },
    { type: "retry", status: 429 },
    { type: "retry", status: null },
    { type: "text", text: "Last." },
  ],
};

const one = (...steps: FakeScenarioText["steps"]): FakeScenarioText => ({ steps });

const ENDS: Readonly<Record<string, FakeScenarioText>> = {
  background: BUILT_IN_SCENARIOS["background-agent"],
  "a refused key": one({ type: "fail", status: 401 }),
  "a rate limit": one({ type: "fail", status: 429 }),
  "an overloaded model": one({ type: "fail", status: 529 }),
  "too many turns": BUILT_IN_SCENARIOS["max-turns"],
  "a spent budget": one({ type: "tool", name: "Bash", input: {}, output: "a" }, { type: "stop", reason: "max_budget" }),
  "a permission nobody can give": one({ type: "permission", tool: "Write", input: { file_path: "/a" } }),
  "a question nobody can answer": BUILT_IN_SCENARIOS.question,
};

/** Events that look like none of the same kind that was recorded, by kind. */
function strangers(events: readonly JsonObject[], recorded: readonly JsonObject[]): unknown[] {
  return events.flatMap((event) => {
    const kind = kindOf(event);
    const same = recorded.filter((other) => kindOf(other) === kind);
    return same.some((other) => hasShape(event, other)) ? [] : [{ kind, recorded: same.length, event }];
  });
}

const STREAM = ["--output-format", "stream-json", "--verbose"];

describe("what the fake Claude Code writes has the shapes of what the real one wrote", () => {
  const recorded = readRecorded("claude");
  const play = async (scenario: FakeScenarioText, ...flags: string[]): Promise<unknown[]> =>
    strangers((await playInMemory("claude", ["-p", "hello", ...STREAM, ...flags], scenario)).events, recorded);

  test("in one way", async () => expect(await play(EVERYTHING)).toEqual([]));
  test("with the text of sub-agents", async () =>
    expect(await play(EVERYTHING, "--forward-subagent-text")).toEqual([]));
  test("with partial messages", async () =>
    expect(await play(one({ type: "text", text: "Hello." }), "--include-partial-messages")).toEqual([]));

  test.each(Object.entries(ENDS))("with %s", async (_name, scenario) => expect(await play(scenario)).toEqual([]));

  const TWO_WAY = ["-p", ...STREAM, "--input-format", "stream-json", "--permission-prompt-tool", "stdio"];
  const HELLO = [
    { type: "control_request", request_id: "init-1", request: { subtype: "initialize", hooks: {} } },
    { type: "user", message: { role: "user", content: "please" } },
  ];

  const answering =
    (response: JsonObject): NonNullable<PlayOptions["reply"]> =>
    ({ type, request_id }) => {
      if (type === "result") return "close";
      if (type !== "control_request") return undefined;
      return [{ type: "control_response", response: { subtype: "success", request_id, response } }];
    };

  const speak = (scenario: FakeScenarioText, response: JsonObject): Promise<Played> => {
    const stdin = HELLO.map((line) => `${JSON.stringify(line)}\n`).join("");
    return playInMemory("claude", TWO_WAY, scenario, { stdin, reply: answering(response) });
  };

  const write = one({ type: "permission", tool: "Write", input: { file_path: "/a", content: "x" }, output: "done" });

  test.each([
    ["a permission that is given", write, { behavior: "allow" }],
    ["a permission that is refused", write, { behavior: "deny", message: "not now" }],
    ["a refusal that stops everything", write, { behavior: "deny", message: "stop", interrupt: true }],
    [
      "a question that is answered",
      BUILT_IN_SCENARIOS.question,
      { behavior: "allow", updatedInput: { answers: { "Which colour?": "Blue" } } },
    ],
  ] as const)("in two ways, with %s", async (_name, scenario, response) => {
    const { events, ending } = await speak(scenario, response);
    expect(strangers(events, recorded)).toEqual([]);
    expect(ending).toEqual({ code: 0 });
  });

  test("in two ways, with an interruption", async () => {
    const stdin = HELLO.map((line) => `${JSON.stringify(line)}\n`).join("");
    const interrupt = { type: "control_request", request_id: "i1", request: { subtype: "interrupt" } };
    const { events } = await playInMemory(
      "claude",
      TWO_WAY,
      one({ type: "text", text: "One moment." }, { type: "hang" }),
      {
        stdin,
        reply: ({ type }) => (type === "assistant" ? [interrupt] : type === "result" ? "close" : undefined),
      },
    );
    expect(events.at(-1)).toMatchObject({ type: "result", subtype: "error_during_execution" });
    expect(strangers(events, recorded)).toEqual([]);
  });
});

describe("what the fake Codex writes has the shapes of what the real one wrote", () => {
  const recorded = readRecorded("codex");
  const exec = async (scenario: FakeScenarioText): Promise<unknown[]> =>
    strangers((await playInMemory("codex", ["exec", "--json", "hello"], scenario)).events, recorded);

  test("in exec", async () => expect(await exec(EVERYTHING)).toEqual([]));
  test.each(Object.entries(ENDS))("in exec, with %s", async (_name, scenario) =>
    expect(await exec(scenario)).toEqual([]),
  );

  /** A client that starts a thread and a turn, and answers what it is asked. */
  const client =
    (answer: JsonObject | undefined): NonNullable<PlayOptions["reply"]> =>
    ({ id, method, result, params }) => {
      const threadId = ((params ?? {}) as { threadId?: string }).threadId;
      if (id === 1) return [{ id: 2, method: "thread/start", params: { approvalPolicy: "on-request" } }];
      if (id === 2) {
        const { thread } = result as { thread: { id: string } };
        main = thread.id;
        return [{ id: 3, method: "turn/start", params: { threadId: main, input: [{ type: "text", text: "please" }] } }];
      }
      if (method === "turn/completed" && threadId === main) return "close";
      return id !== undefined && method !== undefined && answer !== undefined ? [{ id, result: answer }] : undefined;
    };
  let main = "";

  const serve = async (scenario: FakeScenarioText, answer?: JsonObject): Promise<JsonObject[]> => {
    const stdin = `${JSON.stringify({ id: 1, method: "initialize", params: { clientInfo: { name: "orch" } } })}\n`;
    const { events } = await playInMemory("codex", ["app-server"], scenario, { stdin, reply: client(answer) });
    expect(events.at(-1)).toMatchObject({ method: "turn/completed" });
    return [...events];
  };

  test("in the app-server", async () => expect(strangers(await serve(EVERYTHING), recorded)).toEqual([]));

  const shell = one({ type: "permission", input: { command: "echo esc" }, output: "esc\n" });
  const patch = one({ type: "permission", tool: "Write", input: { file_path: "/etc/a", content: "x" } });

  test.each([
    ["a refused key", ENDS["a refused key"], undefined],
    ["a rate limit", ENDS["a rate limit"], undefined],
    ["a command that is allowed", shell, { decision: "accept" }],
    ["a command that is refused", shell, { decision: "decline" }],
    ["a change that is refused", patch, { decision: "decline" }],
    ["a question", BUILT_IN_SCENARIOS.question, { answers: { question: { answers: ["Blue"] } } }],
  ] as const)("in the app-server, with %s", async (_name, scenario, answer) => {
    expect(strangers(await serve(scenario as FakeScenarioText, answer), recorded)).toEqual([]);
  });
});
