import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentAnswer, AgentQuestion, JsonObject } from "claw-contract";
import { createRedactor, LIMITS, MASK } from "claw-contract";
import { describe, expect, test } from "vitest";
import { jsonLines } from "../../process/testing/json-lines.ts";
import type { Harness } from "../harness.ts";
import { HARNESSES } from "../harness-table.ts";
import { finish, made, play, start } from "../testing/tiny-agents.ts";
import type { Decide } from "./question-queue.ts";

/** An agent that keeps what it reads, and says what it is told to at each line. Ends when its stdin does. */
const partner = (says: string): readonly [string, ...string[]] => [
  process.execPath,
  "-e",
  `const say = (frame) => console.log(JSON.stringify(frame));
   const fs = require("fs");
   require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
     fs.appendFileSync("heard", line + "\\n");
     const frame = JSON.parse(line);
     ${says}
   }).on("close", () => { fs.writeFileSync("closed", ""); });`,
];

/** Plays the agent of a harness with another program. */
const withPartner = (id: "claude-code" | "codex", says: string): Harness => {
  const harness = HARNESSES[id];
  return { ...harness, command: (request) => ({ ...harness.command(request), argv: partner(says) }) };
};

const heardIn = (cwd: string): JsonObject[] => jsonLines<JsonObject>(readFileSync(join(cwd, "heard"), "utf8"));

const always =
  (answer: AgentAnswer, questions: AgentQuestion[] = []): Decide =>
  (question) => {
    questions.push(question);
    return Promise.resolve(answer);
  };

const RESULT = `say({ type: "result", subtype: "success", is_error: false, result: "done", num_turns: 1, usage: {} });`;
const ASK = (id: string): string =>
  `say({ type: "control_request", request_id: "${id}", request: { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" } } });`;

describe("Claude Code in both directions", () => {
  test("asks, is answered, and is let go after its result", async () => {
    const claude = withPartner(
      "claude-code",
      `if (frame.type === "user") { ${ASK("r1")} } if (frame.type === "control_response") { ${RESULT} }`,
    );
    const questions: AgentQuestion[] = [];
    const run = await play(claude, { decide: always({ decision: "allow" }, questions) });
    expect(run).toMatchObject({ ended: "by-itself", result: { exit_code: 0, error: null } });
    expect(questions).toEqual([
      expect.objectContaining({
        id: "r1",
        about: "permission",
        harness: "claude-code",
        tool: "Bash",
        input: { command: "ls" },
        cwd: run.cwd,
      }),
    ]);
    expect(heardIn(run.cwd).map((frame) => frame["type"])).toEqual(["control_request", "user", "control_response"]);
    expect(heardIn(run.cwd).at(-1)).toEqual({
      type: "control_response",
      response: {
        subtype: "success",
        request_id: "r1",
        response: { behavior: "allow", updatedInput: { command: "ls" } },
      },
    });
  });

  test("may ask several things at once, and each gets its own answer, told to the caller", async () => {
    const claude = withPartner(
      "claude-code",
      `if (frame.type === "user") { ${ASK("r1")} ${ASK("r2")} }
       if (frame.type === "control_response") { global.n = (global.n ?? 0) + 1; if (n === 2) { ${RESULT} } }`,
    );
    const decide: Decide = ({ id }) =>
      Promise.resolve({ decision: id === "r1" ? "allow" : "deny", message: `about ${id}` });
    const { run } = await start(claude, { decide });
    const decisions = [];
    for await (const batch of run.batches) decisions.push(...batch.decisions);
    expect(decisions).toEqual([
      {
        type: "system",
        subtype: "permission_answered",
        request_id: "r1",
        about: "permission",
        tool_name: "Bash",
        decision: "allow",
        message: "about r1",
      },
      {
        type: "system",
        subtype: "permission_answered",
        request_id: "r2",
        about: "permission",
        tool_name: "Bash",
        decision: "deny",
        message: "about r2",
      },
    ]);
  });

  test("is not silent while it waits for us", async () => {
    const claude = withPartner(
      "claude-code",
      `if (frame.type === "user") { ${ASK("r1")} } if (frame.type === "control_response") { ${RESULT} }`,
    );
    // Any silence is too long while the question is open, and none is before and after.
    const silence: { idleMs: number | null; lingerMs: number } = { idleMs: null, lingerMs: 60_000 };
    const decide: Decide = async () => {
      silence.idleMs = 1;
      await new Promise((resolve) => setTimeout(resolve, 50));
      silence.idleMs = null;
      return { decision: "allow" };
    };
    const run = await play(claude, { decide, silence });
    expect(run).toMatchObject({ ended: "by-itself", result: { exit_code: 0 } });
  });

  test("takes whoever fails to answer for a denial", async () => {
    const claude = withPartner(
      "claude-code",
      `if (frame.type === "user") { ${ASK("r1")} } if (frame.type === "control_response") { ${RESULT} }`,
    );
    const run = await play(claude, { decide: () => Promise.reject(new Error("gone home")) });
    expect(heardIn(run.cwd).at(-1)).toMatchObject({
      response: { response: { behavior: "deny", message: "gone home" } },
    });
  });

  test("takes an answer that cannot be sent for a denial", async () => {
    const claude = withPartner(
      "claude-code",
      `if (frame.type === "user") { ${ASK("r1")} } if (frame.type === "control_response") { ${RESULT} }`,
    );
    const depth = 100_000;
    const input = JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`) as JsonObject;
    const run = await play(claude, { decide: always({ decision: "allow", input }) });
    expect(run).toMatchObject({ ended: "by-itself", result: { exit_code: 0 } });
    expect(heardIn(run.cwd).at(-1)).toMatchObject({ response: { response: { behavior: "deny" } } });
  });

  test("is told of without secrets", async () => {
    const claude = withPartner(
      "claude-code",
      `if (frame.type === "user") { ${ASK("r1")} } if (frame.type === "control_response") { ${RESULT} }`,
    );
    const decide = always({ decision: "deny", message: "not with wren-4471-secret" });
    const { run } = await start(claude, { decide, redactor: createRedactor({ secrets: ["wren-4471-secret"] }) });
    const decisions = [];
    for await (const batch of run.batches) decisions.push(...batch.decisions);
    expect(decisions).toEqual([expect.objectContaining({ request_id: "r1", message: `not with ${MASK}` })]);
  });

  test("may take a question back, and then gets no answer", async () => {
    const claude = withPartner(
      "claude-code",
      `if (frame.type === "user") { ${ASK("r1")} say({ type: "control_cancel_request", request_id: "r1" }); ${RESULT} }`,
    );
    const signals: AbortSignal[] = [];
    const decide: Decide = (_question, signal) => {
      signals.push(signal);
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("taken back"))));
    };
    const run = await play(claude, { decide });
    expect([run.ended, heardIn(run.cwd).length, signals.map(({ aborted }) => aborted)]).toEqual([
      "by-itself",
      2,
      [true],
    ]);
  });

  test("is kept while a task runs in the background", async () => {
    const claude = withPartner(
      "claude-code",
      `if (frame.type === "user") {
         say({ type: "system", subtype: "task_started", task_id: "t1", is_backgrounded: true, description: "tests" });
         ${RESULT}
         setTimeout(() => {
           fs.writeFileSync("open", String(fs.existsSync("closed")));
           say({ type: "system", subtype: "task_notification", task_id: "t1", status: "completed" });
           ${RESULT}
         }, 300);
       }`,
    );
    const run = await play(claude, { decide: always({ decision: "deny" }) });
    expect([run.ended, readFileSync(join(run.cwd, "open"), "utf8")]).toEqual(["by-itself", "false"]);
  });

  test("is ended with its questions open when the caller gives up", async () => {
    const claude = withPartner(
      "claude-code",
      `if (frame.type === "user") { ${ASK("r1")} fs.writeFileSync("asked", ""); }`,
    );
    const caller = new AbortController();
    const tiny = await start(claude, { decide: () => new Promise(() => undefined) }, caller.signal);
    const reading = finish(tiny);
    await made(tiny.cwd, "asked");
    caller.abort();
    expect((await reading).ended).toBe("cancelled");
  });
});

describe("Codex in both directions", () => {
  const SERVER = `
    if (frame.method === "initialize") say({ id: frame.id, result: { userAgent: "x" } });
    if (frame.method === "thread/start") say({ id: frame.id, result: { thread: { id: "th" }, model: "m" } });
    if (frame.method === "turn/start") {
      say({ id: frame.id, result: { turn: { id: "tu" } } });
      say({ method: "turn/started", params: { threadId: "th", turn: { id: "tu" } } });
      say({ method: "item/commandExecution/requestApproval", id: 0, params: { threadId: "th", command: "ls", reason: "May I?" } });
    }
    if (frame.id === 0) {
      say({ method: "item/completed", params: { threadId: "th", item: { type: "agentMessage", id: "m1", text: "done" } } });
      say({ method: "turn/completed", params: { threadId: "th", turn: { id: "tu", status: "completed", error: null } } });
    }`;

  test("is led through its protocol, asks, is answered and let go", async () => {
    const questions: AgentQuestion[] = [];
    const run = await play(withPartner("codex", SERVER), { decide: always({ decision: "allow" }, questions) });
    expect(run).toMatchObject({
      ended: "by-itself",
      result: { output: "done", exit_code: 0, session_id: "th", model: "m" },
    });
    expect(questions).toEqual([expect.objectContaining({ id: 0, about: "permission", reason: "May I?" })]);
    const heard = heardIn(run.cwd);
    expect(heard.map((frame) => frame["method"] ?? frame["id"])).toEqual([
      "initialize",
      "initialized",
      "thread/start",
      "turn/start",
      0,
    ]);
    expect([heard[3]?.["params"], heard[4]]).toEqual([
      { threadId: "th", input: [{ type: "text", text: "hi", text_elements: [] }] },
      { id: 0, result: { decision: "accept" } },
    ]);
  });

  test("that refuses to begin is let go at once, and its reason is the error", async () => {
    const refusing = `if (frame.method === "initialize") say({ id: frame.id, result: {} });
      if (frame.method === "thread/start") say({ id: frame.id, error: { code: 1, message: "no such model" } });`;
    const run = await play(withPartner("codex", refusing), { decide: always({ decision: "deny" }) });
    expect(run).toMatchObject({ ended: "by-itself", result: { error: "no such model", error_category: "api" } });
  });
});

test("of many questions at once a few are put at a time, and all are answered", async () => {
  const asked = 50;
  const claude = withPartner(
    "claude-code",
    `globalThis.left ??= ${asked};
     if (frame.type === "user") for (let n = 0; n < ${asked}; n += 1) say({ type: "control_request", request_id: "r" + n, request: { subtype: "can_use_tool", tool_name: "Bash", input: {} } });
     if (frame.type === "control_response" && --globalThis.left === 0) { ${RESULT} }`,
  );
  const open = { now: 0, most: 0 };
  let crowd = (): void => undefined;
  const crowded = new Promise<void>((resolve) => (crowd = resolve));
  const decide: Decide = async () => {
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    if (open.now === LIMITS.runQuestionsAtOnce) crowd();
    await crowded;
    await new Promise((resolve) => setImmediate(resolve));
    open.now -= 1;
    return { decision: "allow" };
  };
  expect(await play(claude, { decide })).toMatchObject({ ended: "by-itself", result: { error: null } });
  expect(open.most).toBe(LIMITS.runQuestionsAtOnce);
});
