import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "claw-contract";
import type { FakeScenarioText } from "claw-contract/schemas";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { BUILT_IN_SCENARIOS } from "../built-in-scenarios.ts";
import type { Played, PlayOptions } from "../testing/play-in-memory.ts";
import { playInMemory } from "../testing/play-in-memory.ts";

const STREAM = ["--output-format", "stream-json", "--verbose"];

const scenario = (...steps: FakeScenarioText["steps"]): FakeScenarioText => ({ steps });

const play = (what: FakeScenarioText, argv: readonly string[] = ["-p", "hello", ...STREAM], options?: PlayOptions) =>
  playInMemory("claude", argv, what, options);

/** What an event is about, in a few words. */
function brief(event: JsonObject): string {
  const { type, subtype } = event;
  const { content } = (event["message"] ?? {}) as { content?: readonly JsonObject[] };
  const words = [type, subtype, content?.[0]?.["type"], content?.[0]?.["text"]];
  return words.filter((word) => word !== undefined).join(" ");
}

const briefs = ({ events }: Played): string[] => events.map(brief);
const resultOf = ({ events }: Played): JsonObject => events.findLast(({ type }) => type === "result") ?? {};

describe("in one way", () => {
  test("a turn is an init, what was said, and a result", async () => {
    const played = await play(scenario({ type: "text", text: "You said {{prompt}} in {{cwd}} to {{model}}." }));
    const text = "You said hello in /project to claude-opus-5-5.";
    expect(briefs(played)).toEqual(["system init", `assistant text ${text}`, "result success"]);
    expect(resultOf(played)).toMatchObject({ is_error: false, result: text, num_turns: 1, total_cost_usd: 0.0044 });
    expect([played.ending, played.stderr]).toEqual([{ code: 0 }, ""]);
  });

  test("a tool that runs something really does, in the working folder, and shows what that printed", async () => {
    const cwd = temporaryFolder(onTestFinished);
    const runs = (command: string) => ({ type: "tool", name: "Bash", input: { command }, runs: command }) as const;
    const done = await play(scenario(runs("echo made > it; cat it"), runs("exit 3")), undefined, { cwd });
    const results = done.events.filter(({ type }) => type === "user").map(({ message }) => message);
    expect(results).toMatchObject([
      { content: [{ content: "made\n", is_error: false }] },
      { content: [{ content: "", is_error: true }] },
    ]);
    expect(readFileSync(join(cwd, "it"), "utf8")).toBe("made\n");
  });

  test("what its results say was used is what its messages say, sub-agents included", async () => {
    for (const name of ["tools", "sub-agent", "background-agent"] as const) {
      const { events } = await play(BUILT_IN_SCENARIOS[name]);
      const said = events.filter(({ type }) => type === "assistant").map(({ message }) => message as JsonObject);
      const byId = new Map(said.map(({ id, usage }) => [id, (usage as JsonObject)["input_tokens"] as number]));
      const sum = [...byId.values()].reduce((all, tokens) => all + tokens, 0);
      const { modelUsage, total_cost_usd } = events.findLast(({ type }) => type === "result") ?? {};
      expect(Object.values(modelUsage as JsonObject)).toMatchObject([{ inputTokens: sum, costUSD: total_cost_usd }]);
      expect(total_cost_usd).toBeCloseTo(0.0044 * byId.size);
    }
  });

  test("a limit that is reached says when it is over, and a resumed session goes on otherwise", async () => {
    const limited: FakeScenarioText = {
      steps: [{ type: "fail", status: 429, resets_in_ms: 60_000 }],
      resumed: [{ type: "text", text: "Here I am again." }],
    };
    const first = await play(limited);
    const [, limit] = first.events as { rate_limit_info?: { resetsAt: number } }[];
    expect(limit).toMatchObject({ type: "rate_limit_event", rate_limit_info: { status: "rejected" } });
    expect(Number.isInteger(limit?.rate_limit_info?.resetsAt)).toBe(true);
    const second = await play(limited, ["-p", "go on", "--resume", "an-id", ...STREAM]);
    expect(resultOf(second)).toMatchObject({ is_error: false, result: "Here I am again.", session_id: "an-id" });
  });

  test("blocks up to the call of a tool are one answer of the model, and the next one begins behind its result", async () => {
    const tool = { type: "tool", name: "Bash", input: { command: "ls" }, output: "a" } as const;
    const { events } = await play(scenario({ type: "text", text: "Look." }, tool, { type: "text", text: "Done." }));
    const ids = events.filter(({ type }) => type === "assistant").map(({ message }) => (message as { id: string }).id);
    expect([ids[0] === ids[1], ids[1] === ids[2]]).toEqual([true, false]);
    expect(events.at(-1)).toMatchObject({ num_turns: 2, result: "Done." });
  });

  test("the model, the session and what they cost are what was asked for", async () => {
    const what = {
      ...scenario({ type: "text", text: "x" }),
      usage: { input_tokens: 7, output_tokens: 3, cost_usd: 0.5 },
    };
    const { events } = await play(what, ["-p", "hello", ...STREAM, "--model", "opus", "--session-id", "s-1"], {
      env: { ANTHROPIC_API_KEY: "secret" },
    });
    expect(events[0]).toMatchObject({ model: "opus", session_id: "s-1", apiKeySource: "ANTHROPIC_API_KEY" });
    expect(events.at(-1)).toMatchObject({
      usage: { input_tokens: 7, output_tokens: 3 },
      total_cost_usd: 0.5,
      modelUsage: { opus: { inputTokens: 7, outputTokens: 3, costUSD: 0.5 } },
    });
    expect(JSON.stringify(events)).not.toContain("secret");
  });

  test("the prompt may come on stdin", async () => {
    const echo = scenario({ type: "text", text: "{{prompt}}" });
    expect(resultOf(await play(echo, ["-p", ...STREAM], { stdin: "from a pipe\n" }))).toMatchObject({
      result: "from a pipe",
    });
    const { ending, stderr } = await play(echo, ["-p", ...STREAM]);
    expect([ending, stderr]).toEqual([
      { code: 1 },
      "Error: Input must be provided either through stdin or as a prompt argument when using --print\n",
    ]);
  });

  test("text and json show the last result only", async () => {
    const what = scenario({ type: "text", text: "One." }, { type: "text", text: "Two." });
    expect((await play(what, ["-p", "x"])).stdout).toBe("Two.\n");
    const { events } = await play(what, ["-p", "x", "--output-format", "json"]);
    expect(events).toEqual([expect.objectContaining({ type: "result", result: "Two." })]);
  });

  test("a refusal of the model is a result that calls itself a success, and exit 1", async () => {
    const played = await play(scenario({ type: "retry", status: 429 }, { type: "fail", status: 429 }));
    expect(briefs(played).slice(1)).toEqual([
      "system api_retry",
      "assistant text API Error: Request rejected (429) · Rate limit exceeded for your organization",
      "result success",
    ]);
    expect(resultOf(played)).toMatchObject({ is_error: true, api_error_status: 429, terminal_reason: "api_error" });
    expect(played.ending).toEqual({ code: 1 });
  });

  test("what needs permission is denied, and the run is a success all the same", async () => {
    const what = scenario({
      type: "permission",
      input: { command: "rm x" },
      allowed: [{ type: "text", text: "Gone." }],
      denied: [{ type: "text", text: "Still there." }],
    });
    const denied = await play(what);
    expect(briefs(denied).slice(1)).toEqual([
      "assistant tool_use",
      "system permission_denied",
      "user tool_result",
      "assistant text Still there.",
      "result success",
    ]);
    expect(resultOf(denied)).toMatchObject({
      permission_denials: [{ tool_name: "Bash", tool_input: { command: "rm x" } }],
    });
    const allowed = await play(what, ["-p", "hello", ...STREAM, "--allowedTools", "Bash"]);
    expect(resultOf(allowed)).toMatchObject({ permission_denials: [], result: "Gone." });
  });

  test("a sub-agent in the background makes the CLI come back with a second result", async () => {
    const played = await play(
      scenario(
        { type: "sub_agent", background: true, lasts_ms: 70, result: "7", follow_up: "It is 7." },
        { type: "text", text: "Sent it off." },
      ),
    );
    expect(briefs(played).slice(1)).toEqual([
      "assistant tool_use",
      "system background_tasks_changed",
      "system task_started",
      "user tool_result",
      "assistant text Sent it off.",
      "result success",
      "assistant text 7",
      "system task_updated",
      "system task_notification",
      "system background_tasks_changed",
      "system init",
      "assistant text It is 7.",
      "result success",
    ]);
    expect(resultOf(played)).toMatchObject({
      result_index: 1,
      origin: { kind: "task-notification" },
      total_cost_usd: 0.0176,
    });
    expect(played.stage.pauses).toEqual([70]);
  });

  test("a sub-agent that is waited for shows its tools, and its text when asked for", async () => {
    const what = scenario({
      type: "sub_agent",
      steps: [
        { type: "text", text: "Looking." },
        { type: "tool", name: "Bash", input: {}, output: "7" },
      ],
      result: "7",
    });
    const shown = (played: Played): string[] =>
      played.events.filter((event) => event["agent_id"] !== undefined).map(brief);
    const quiet = ["user text Please do it.", "assistant tool_use", "user tool_result"];
    expect(shown(await play(what))).toEqual(quiet);
    const loud = await play(what, ["-p", "x", ...STREAM, "--forward-subagent-text"]);
    expect(shown(loud)).toEqual(["user text Please do it.", "assistant text Looking.", ...quiet.slice(1)]);
  });
});

describe("what goes wrong", () => {
  test("a cut stream ends in the middle of a line", async () => {
    const { stdout, ending } = await play(scenario({ type: "text", text: "So far." }, { type: "cut" }));
    const last = stdout.slice(stdout.lastIndexOf("\n") + 1);
    expect([last.startsWith('{"type":"assistant"'), ending]).toEqual([true, { code: 1 }]);
    expect(() => JSON.parse(last) as unknown).toThrow(SyntaxError);
  });

  test("lines and events are written as they stand", async () => {
    const { stdout } = await play(
      scenario({ type: "line", text: "no JSON, {{prompt}}" }, { type: "event", event: { type: "new", n: 1 } }),
    );
    expect(stdout.split("\n").slice(1, 3)).toEqual(["no JSON, hello", '{"type":"new","n":1}']);
  });

  test("a crash and an exit end everything at once", async () => {
    const crashed = await play(scenario({ type: "crash", signal: "SIGSEGV" }, { type: "text", text: "never" }));
    expect([crashed.ending, briefs(crashed)]).toEqual([{ signal: "SIGSEGV" }, ["system init"]]);
    const left = await play(scenario({ type: "exit", code: 3, stderr: "broken" }));
    expect([left.ending, left.stderr]).toEqual([{ code: 3 }, "broken\n"]);
  });

  test("steps are repeated, and a step inside that ends the turn ends all of it", async () => {
    const say = { type: "text", text: "again" } as const;
    expect(briefs(await play(scenario({ type: "repeat", times: 3, steps: [say] })))).toHaveLength(5);
    const { ending } = await play(scenario({ type: "repeat", times: 3, steps: [say, { type: "exit", code: 2 }] }));
    expect(ending).toEqual({ code: 2 });
  });

  test("a dripping stream is the same stream, in pieces", async () => {
    const what = scenario({ type: "text", text: "Slowly: ü." });
    const dripping = await play({ ...what, drip: { bytes: 100, ms: 3 } });
    expect(dripping.stdout).toBe((await play(what)).stdout);
    expect(dripping.stage.pauses.every((ms) => ms === 3)).toBe(true);
    expect(dripping.stage.pauses.length).toBeGreaterThan(10);
  });

  test("a process may linger, and end with an exit of its own", async () => {
    const { stage, ending } = await play({ ...scenario(), linger_ms: 500, exit_code: 9 });
    expect([stage.pauses, ending]).toEqual([[500], { code: 9 }]);
  });

  test("a reader that leaves ends it", async () => {
    const reply: PlayOptions["reply"] = (_event, stage) => {
      stage.leaveAudience();
      return undefined;
    };
    const { ending } = await play(scenario({ type: "text", text: "x" }), undefined, { reply });
    expect(ending).toEqual({ code: 1 });
  });
});

describe("signals", () => {
  const hang = scenario({ type: "text", text: "One moment." }, { type: "hang" });
  const signalled = (what: FakeScenarioText, ...names: ("SIGINT" | "SIGTERM")[]): Promise<Played> =>
    play(what, undefined, {
      reply: ({ type }, stage) => {
        if (type === "assistant") queueMicrotask(() => names.forEach((name) => stage.signal(name)));
        return undefined;
      },
    });

  test("SIGTERM ends it with 143 and no result", async () => {
    const played = await signalled(hang, "SIGTERM");
    expect([played.ending, briefs(played).at(-1)]).toEqual([{ code: 143 }, "assistant text One moment."]);
  });

  test("SIGINT ends the turn in good order, and the exit is 0", async () => {
    const played = await signalled(hang, "SIGINT");
    expect([played.ending, briefs(played).slice(-2)]).toEqual([
      { code: 0 },
      ["user text [Request interrupted by user]", "result error_during_execution"],
    ]);
  });

  test("a stubborn one does not mind SIGTERM", async () => {
    expect((await signalled({ ...hang, ignore_sigterm: true }, "SIGTERM", "SIGINT")).ending).toEqual({ code: 0 });
  });
});

describe("in two ways", () => {
  const TWO_WAY = ["-p", ...STREAM, "--input-format", "stream-json", "--permission-prompt-tool", "stdio"];
  const user = (content: unknown): JsonObject => ({ type: "user", message: { role: "user", content } });
  const line = (object: JsonObject): string => `${JSON.stringify(object)}\n`;

  test("every prompt is a turn, later ones may follow other steps, and the end of stdin ends it", async () => {
    const what: FakeScenarioText = {
      steps: [{ type: "text", text: "first {{prompt}}" }],
      later: [[{ type: "text", text: "then {{prompt}}" }]],
    };
    const stdin = [user("a"), user([{ type: "text", text: "b" }]), user("c")].map(line).join("");
    const played = await play(what, TWO_WAY, { stdin });
    const results = played.events.filter(({ type }) => type === "result").map(({ result }) => result);
    expect([results, played.ending]).toEqual([["first a", "then b", "then c"], { code: 0 }]);
  });

  test("what is asked waits for its answer, and what follows depends on it", async () => {
    const what = scenario({
      type: "permission",
      input: { command: "rm x" },
      allowed: [{ type: "text", text: "Gone." }],
      denied: [{ type: "text", text: "You said: {{answer}}" }],
    });
    const answered = async (response: JsonObject): Promise<JsonObject> =>
      resultOf(
        await play(what, TWO_WAY, {
          stdin: line(user("go")),
          reply: ({ type, request_id }) => {
            if (type === "result") return "close";
            if (type !== "control_request") return undefined;
            return [{ type: "control_response", response: { subtype: "success", request_id, response } }];
          },
        }),
      );
    expect(await answered({ behavior: "allow" })).toMatchObject({ result: "Gone.", permission_denials: [] });
    expect(await answered({ behavior: "deny", message: "no" })).toMatchObject({
      result: "You said: no",
      permission_denials: [{ tool_name: "Bash" }],
    });
  });

  test("whoever hangs up while asked has refused", async () => {
    const what = scenario({ type: "permission", input: {}, denied: [{ type: "text", text: "Not done." }] });
    const { events } = await play(what, TWO_WAY, {
      stdin: line(user("go")),
      reply: ({ type }) => (type === "control_request" ? "close" : undefined),
    });
    expect(events.at(-1)).toMatchObject({ type: "result", result: "Not done." });
  });

  test("a line that is no JSON ends it", async () => {
    const { ending, stderr } = await play(scenario(), TWO_WAY, { stdin: "nonsense\n" });
    expect([ending, stderr]).toEqual([{ code: 1 }, "Error parsing streaming input line\n"]);
  });
});
