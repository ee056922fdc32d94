import type { JsonObject } from "claw-contract";
import type { FakeScenarioText } from "claw-contract/schemas";
import { describe, expect, test } from "vitest";
import type { Played, PlayOptions } from "../testing/play-in-memory.ts";
import { playInMemory } from "../testing/play-in-memory.ts";

const scenario = (...steps: FakeScenarioText["steps"]): FakeScenarioText => ({ steps });

const exec = (what: FakeScenarioText, argv = ["exec", "--json", "hello"], options?: PlayOptions): Promise<Played> =>
  playInMemory("codex", argv, what, options);

const brief = ({ type, item }: JsonObject): string =>
  [type, (item as JsonObject | undefined)?.["type"]].filter((word) => word !== undefined).join(" ");

describe("codex exec", () => {
  test("a turn is a thread, items, and what they cost", async () => {
    const { events, ending, stderr } = await exec(
      scenario(
        { type: "thinking", text: "Hm." },
        { type: "tool", name: "Bash", input: { command: "echo it's" }, output: "it's\n" },
        { type: "text", text: "{{prompt}} yourself" },
      ),
    );
    expect(events.map(brief)).toEqual([
      "thread.started",
      "turn.started",
      "item.completed reasoning",
      "item.started command_execution",
      "item.completed command_execution",
      "item.completed agent_message",
      "turn.completed",
    ]);
    expect(events[4]).toMatchObject({
      item: { id: "item_1", command: String.raw`/bin/bash -lc 'echo it'\''s'`, exit_code: 0, status: "completed" },
    });
    expect(events[5]).toMatchObject({ item: { id: "item_2", text: "hello yourself" } });
    expect([ending, stderr]).toEqual([{ code: 0 }, "Reading additional input from stdin...\n"]);
  });

  test("the prompt comes on stdin, or goes on there", async () => {
    const echo = scenario({ type: "text", text: "{{prompt}}" });
    const said = async (argv: string[], stdin: string): Promise<unknown> =>
      (await exec(echo, argv, { stdin })).events.find(({ item }) => item !== undefined)?.["item"];
    expect(await said(["exec", "--json", "-"], "from a pipe\n")).toMatchObject({ text: "from a pipe" });
    expect(await said(["exec", "--json", "first"], "then")).toMatchObject({ text: "first\n\n<stdin>\nthen\n</stdin>" });
    const { ending, stderr } = await exec(echo, ["exec", "--json"]);
    expect([ending, stderr]).toEqual([{ code: 1 }, "Reading prompt from stdin...\nNo prompt provided via stdin.\n"]);
  });

  test("the last message is in the file that was named, and on stdout without --json", async () => {
    const { stdout, stage } = await exec(scenario({ type: "text", text: "Done." }), ["exec", "-o", "/last", "hello"]);
    expect([stdout, stage.files.get("/last")]).toEqual(["Done.\n", "Done."]);
  });

  test("a retry is an error that does not count, a refusal fails the turn", async () => {
    const { events, ending } = await exec(scenario({ type: "retry", status: 401 }, { type: "fail", status: 401 }));
    const message = expect.stringContaining("401 Unauthorized") as string;
    expect(events.slice(2)).toEqual([
      { type: "error", message: expect.stringMatching(/^Reconnecting\.\.\. 1\/1 \(unexpected status 401/) as string },
      { type: "error", message },
      { type: "turn.failed", error: { message } },
    ]);
    expect(ending).toEqual({ code: 1 });
  });

  test("what needs permission is refused on stderr alone, unless nothing is guarded", async () => {
    const what = scenario({
      type: "permission",
      input: { command: "rm x" },
      denied: [{ type: "text", text: "Not done." }],
    });
    const { events, stderr } = await exec(what);
    expect(events.map(brief)).toEqual([
      "thread.started",
      "turn.started",
      "item.completed agent_message",
      "turn.completed",
    ]);
    expect(stderr).toContain("ERROR codex_core::tools::router: error=Bash rejected");
    const free = await exec(what, ["exec", "--json", "--dangerously-bypass-approvals-and-sandbox", "hello"]);
    expect(free.events.map(brief)).toContain("item.completed command_execution");
  });

  test("a sub-agent is sent and waited for; one in the background is only sent", async () => {
    const tools = async (background: boolean): Promise<unknown[]> => {
      const { events } = await exec(scenario({ type: "sub_agent", background, result: "7" }));
      return events.flatMap(({ type, item }) => (type === "item.completed" ? [(item as JsonObject)["tool"]] : []));
    };
    expect([await tools(false), await tools(true)]).toEqual([["spawn_agent", "wait"], ["spawn_agent"]]);
  });

  test.each([
    ["SIGTERM", { signal: "SIGTERM" }],
    ["SIGINT", { code: 1 }],
  ] as const)("%s ends it without another event", async (name, ending) => {
    const hang = scenario({ type: "text", text: "One moment." }, { type: "hang" });
    const reply: PlayOptions["reply"] = ({ item }, stage) => {
      if (item !== undefined) queueMicrotask(() => stage.signal(name));
      return undefined;
    };
    const played = await exec(hang, undefined, { reply, closesInput: true });
    expect([played.ending, played.events.map(brief).at(-1)]).toEqual([ending, "item.completed agent_message"]);
  });
});

describe("codex app-server", () => {
  const send = (id: number, method: string, params: JsonObject = {}): JsonObject => ({ id, method, params });
  const stdin = `${JSON.stringify(send(1, "initialize", { clientInfo: { name: "me" } }))}\n`;
  const input = [{ type: "text", text: "please" }];

  /** Starts a thread and a turn, answers what is asked, and hangs up after the turn. */
  const client =
    (
      policy: string,
      more: (event: JsonObject) => readonly JsonObject[] | undefined,
    ): NonNullable<PlayOptions["reply"]> =>
    (event) => {
      if (event["id"] === 1) return [send(2, "thread/start", { approvalPolicy: policy, model: "gpt-6", cwd: "/work" })];
      if (event["id"] === 2) return [send(3, "turn/start", { input })];
      return event["method"] === "turn/completed" ? "close" : more(event);
    };

  const serve = (what: FakeScenarioText, policy: string, more: Parameters<typeof client>[1]): Promise<Played> =>
    playInMemory("codex", ["app-server"], what, { stdin, reply: client(policy, more) });

  const permission = scenario({
    type: "permission",
    input: { command: "rm x" },
    allowed: [{ type: "text", text: "Gone." }],
    denied: [{ type: "text", text: "Still there." }],
  });

  test("a client gets what it asked for", async () => {
    const { events, ending } = await serve(scenario({ type: "text", text: "{{prompt}}" }), "never", () => undefined);
    expect(events.find(({ id }) => id === 2)).toMatchObject({ result: { model: "gpt-6", thread: { cwd: "/work" } } });
    expect(events.at(-1)).toMatchObject({
      method: "turn/completed",
      params: { turn: { status: "completed", items: [{ type: "agentMessage", text: "please" }] } },
    });
    expect(ending).toEqual({ code: 0 });
  });

  test.each([
    [{ decision: "accept" }, "Gone.", "completed"],
    [{ decision: { acceptWithExecpolicyAmendment: {} } }, "Gone.", "completed"],
    [{ decision: "decline" }, "Still there.", "completed"],
    [{ decision: "cancel" }, undefined, "interrupted"],
  ])("a decision decides what follows: %j", async (result, text, status) => {
    const { events } = await serve(permission, "on-request", ({ id, method }) =>
      method === "item/commandExecution/requestApproval" ? [{ id, result }] : undefined,
    );
    const { turn } = (events.at(-1) as { params: { turn: { status: string; items: { text: string }[] } } }).params;
    expect([turn.status, turn.items[0]?.text]).toEqual([status, text]);
  });

  test("a client that wants no questions gets none", async () => {
    const { events, stderr } = await serve(permission, "never", () => undefined);
    expect(events.filter(({ method, id }) => method !== undefined && id !== undefined)).toEqual([]);
    expect(stderr).toContain("Bash rejected: approval policy is never");
  });

  test("a turn can be interrupted, and the next one follows", async () => {
    const what = scenario({ type: "text", text: "One moment." }, { type: "hang" });
    const { events } = await serve(what, "never", ({ method }) =>
      method === "item/agentMessage/delta" ? [send(4, "turn/interrupt")] : undefined,
    );
    expect(events.at(-1)).toMatchObject({ params: { turn: { status: "interrupted" } } });
    expect(events.find(({ id }) => id === 4)).toEqual({ id: 4, result: {} });
  });

  test("an unknown method is refused, and what is no JSON is passed over", async () => {
    const { events } = await playInMemory("codex", ["app-server"], scenario(), {
      stdin: `nonsense\n${JSON.stringify(send(7, "no/such"))}\n`,
    });
    expect(events).toEqual([
      { id: 7, error: { code: -32_600, message: "Invalid request: unknown variant `no/such`" } },
    ]);
  });
});
