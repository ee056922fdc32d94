import type { AgentAnswer, JsonObject } from "claw-contract";
import { describe, expect, test } from "vitest";
import { REQUEST } from "./testing/dialogue-request.ts";
import { jsonLines } from "../process/testing/json-lines.ts";
import type { Dialogue, Harness } from "./harness.ts";
import { HARNESSES } from "./harness-table.ts";
import type { AgentRequest } from "./stream/run-update.ts";
import { createStreamState } from "./stream/stream-state.ts";
import { RECORDINGS } from "./testing/recordings.ts";

const framesOf = (text: string | null): JsonObject[] => jsonLines<JsonObject>(text ?? "");

function requestsIn(harness: Harness, native: JsonObject): AgentRequest[] {
  return harness.translate(native, createStreamState()).filter((update) => update.kind === "request");
}

/** Holds our side of a recorded dialogue, with these answers, and gives what we would have sent. */
function hold(harness: Harness, natives: readonly JsonObject[], answer: AgentAnswer): JsonObject[] {
  const dialogue = harness.dialogue(REQUEST);
  const sent = framesOf(harness.command(REQUEST).stdin);
  for (const native of natives) {
    sent.push(...dialogue.heard(native));
    for (const request of requestsIn(harness, native)) sent.push(...dialogue.answer(request, answer));
  }
  return sent;
}

function recorded(name: string): { readonly heard: JsonObject[]; readonly sent: JsonObject[] } {
  const { bytes } = RECORDINGS.find((recording) => recording.name === name) as (typeof RECORDINGS)[number];
  const frames = framesOf(Buffer.from(bytes).toString());
  const sent = frames.filter((frame) => frame["dir"] === "in").map(({ dir: _dir, ...frame }) => frame);
  return { heard: frames.filter((frame) => frame["dir"] !== "in"), sent };
}

/** What differs between two programs that hold the same dialogue: names and ids they give themselves. */
function withoutNames({ request_id, params, ...frame }: JsonObject): JsonObject {
  const { clientInfo: _info, capabilities: _wishes, modelProvider: _provider, ...rest } = (params ?? {}) as JsonObject;
  return {
    ...frame,
    ...(params === undefined ? {} : { params: rest }),
    ...(request_id === undefined ? {} : { request_id: "*" }),
  };
}

describe("a recorded dialogue is held as it was", () => {
  test.each<[string, AgentAnswer]>([
    ["claude/ctl_perm_allow.duplex", { decision: "allow" }],
    ["claude/ctl_perm_interrupt.duplex", { decision: "deny", message: "stop now", interrupt: true }],
    ["claude/ctl_ask.duplex", { decision: "allow", answers: { "Which color?": "Blue" } }],
    ["codex/as_escalate_accept.appserver", { decision: "allow" }],
    ["codex/as_escalate_decline.appserver", { decision: "deny" }],
    ["codex/as_mcp_slow.appserver", { decision: "allow", content: { color: "blue" } }],
  ])("%s", (name, answer) => {
    const harness = HARNESSES[name.startsWith("codex") ? "codex" : "claude-code"];
    const { heard, sent } = recorded(name);
    expect(hold(harness, heard, answer).map(withoutNames)).toEqual(sent.map(withoutNames));
  });
});

const claude: Dialogue = HARNESSES["claude-code"].dialogue(REQUEST);
const codex: Dialogue = HARNESSES.codex.dialogue(REQUEST);

function answered(harness: Harness, native: JsonObject, answer: AgentAnswer): JsonObject {
  const [request] = requestsIn(harness, native);
  if (request === undefined) throw new Error("it asks nothing");
  return harness.dialogue(REQUEST).answer(request, answer).at(-1) ?? {};
}

describe("Claude Code", () => {
  const ask = (request: JsonObject): JsonObject => ({ type: "control_request", request_id: "r1", request });
  const tool = ask({ subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" } });
  const question = ask({
    subtype: "can_use_tool",
    tool_name: "AskUserQuestion",
    input: { questions: [] },
    requires_user_interaction: true,
  });
  const form = ask({ subtype: "elicitation", mcp_server_name: "tiny", message: "Which?", requested_schema: {} });
  const reply = (native: JsonObject, answer: AgentAnswer): unknown =>
    (answered(HARNESSES["claude-code"], native, answer)["response"] as JsonObject)["response"];

  test.each<[string, JsonObject, AgentAnswer, JsonObject]>([
    [
      "a tool with another input",
      tool,
      { decision: "allow", input: { command: "pwd" } },
      { behavior: "allow", updatedInput: { command: "pwd" } },
    ],
    ["no tool", tool, { decision: "deny" }, { behavior: "deny", message: "denied" }],
    [
      "several answers",
      question,
      { decision: "allow", answers: { q: ["a", "b"] } },
      { behavior: "allow", updatedInput: { questions: [], answers: { q: "a, b" } } },
    ],
    ["a question without an answer", question, { decision: "allow" }, { behavior: "deny", message: "no answer came" }],
    ["a form", form, { decision: "allow", content: { a: 1 } }, { action: "accept", content: { a: 1 } }],
    ["a form without content", form, { decision: "allow" }, { action: "decline" }],
    ["a form and all the rest", form, { decision: "deny", interrupt: true }, { action: "cancel" }],
  ])("is given %s", (_what, native, answer, expected) => {
    expect(reply(native, answer)).toEqual(expected);
  });

  test("is not left waiting for an answer that nobody can give", () => {
    expect(claude.heard(ask({ subtype: "hook_callback" }))).toEqual([
      {
        type: "control_response",
        response: { subtype: "error", request_id: "r1", error: expect.any(String) as string },
      },
    ]);
    expect(claude.heard(tool)).toEqual([]);
  });

  test("may take a question back", () => {
    expect([claude.withdrawn({ type: "control_cancel_request", request_id: "r1" }), claude.withdrawn(tool)]).toEqual([
      "r1",
      null,
    ]);
  });
});

describe("Codex", () => {
  const ask = (method: string, params: JsonObject): JsonObject => ({ method, id: 7, params });
  const input = ask("item/tool/requestUserInput", {
    questions: [
      { id: "q1", question: "Which?" },
      { id: "q2", question: "How?" },
    ],
  });
  const more = ask("item/permissions/requestApproval", { permissions: { network: true } });
  const form = ask("mcpServer/elicitation/request", { serverName: "tiny", message: "Which?" });

  test.each<[string, JsonObject, AgentAnswer, JsonObject]>([
    [
      "no and stop",
      ask("item/fileChange/requestApproval", {}),
      { decision: "deny", interrupt: true },
      { decision: "cancel" },
    ],
    [
      "answers by id and by text",
      input,
      { decision: "allow", answers: { q1: "red", "How?": ["a", "b"] } },
      { answers: { q1: { answers: ["red"] }, q2: { answers: ["a", "b"] } } },
    ],
    ["no answers", input, { decision: "deny", answers: { q1: "red" } }, { answers: {} }],
    ["what it asks for", more, { decision: "allow" }, { permissions: { network: true }, scope: "turn" }],
    ["nothing more", more, { decision: "deny" }, { permissions: {}, scope: "turn" }],
    ["a form", form, { decision: "allow", content: { a: 1 } }, { action: "accept", content: { a: 1 } }],
    ["a form without content", form, { decision: "allow" }, { action: "decline" }],
  ])("is given %s", (_what, native, answer, expected) => {
    expect(answered(HARNESSES.codex, native, answer)).toEqual({ id: 7, result: expected });
  });

  test("is told why it may not, in the turn that waits for the answer", () => {
    const asked = ask("item/commandExecution/requestApproval", { threadId: "th", turnId: "tu", command: "ls" });
    const [request] = requestsIn(HARNESSES.codex, asked) as [AgentRequest];
    const input = [{ type: "text", text: "Your request was refused: not today", text_elements: [] }];
    expect(codex.answer(request, { decision: "deny", message: "not today" })).toEqual([
      { method: "turn/steer", id: "claw-reason-7", params: { threadId: "th", input, expectedTurnId: "tu" } },
      { id: 7, result: { decision: "decline" } },
    ]);
    const silent: AgentAnswer[] = [
      { decision: "deny" },
      { decision: "deny", message: "enough", interrupt: true },
      { decision: "allow", message: "fine" },
    ];
    for (const answer of silent) expect(codex.answer(request, answer)).toHaveLength(1);
  });

  test("shows what a person decides by, and nothing of its own bookkeeping", () => {
    const { heard } = recorded("codex/as_escalate_accept.appserver");
    const [request] = heard.flatMap((native) => requestsIn(HARNESSES.codex, native));
    expect(request?.input).toEqual({ command: "/bin/bash -lc 'echo esc'", cwd: "/home/user/project" });
  });

  test("asks about files by naming them", () => {
    const changes = [{ path: "/w/new.txt", kind: { type: "add" }, diff: "hello\n" }];
    const state = createStreamState();
    const item = { type: "fileChange", id: "call_1", changes, status: "inProgress" };
    HARNESSES.codex.translate({ method: "item/started", params: { item } }, state);
    const asked = ask("item/fileChange/requestApproval", { itemId: "call_1", reason: null, grantRoot: null });
    expect(HARNESSES.codex.translate(asked, state)).toMatchObject([
      { kind: "request", tool: "fileChange", input: { files: ["/w/new.txt"], diff: "hello\n" } },
    ]);
  });

  test("is not left waiting for an answer that nobody can give", () => {
    expect(codex.heard(ask("item/tool/call", {}))).toEqual([
      { id: 7, error: { code: -32_601, message: expect.any(String) as string } },
    ]);
    expect([
      codex.heard(input),
      codex.heard({ method: "turn/started", params: {} }),
      codex.heard({ id: 9, result: {} }),
    ]).toEqual([[], [], []]);
  });

  test("may say that a question is settled", () => {
    expect(codex.withdrawn({ method: "serverRequest/resolved", params: { requestId: 7 } })).toBe(7);
  });
});
