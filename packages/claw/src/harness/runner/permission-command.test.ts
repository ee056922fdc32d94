import { getEventListeners } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentQuestion } from "claw-contract";
import { AgentAnswer as AnswerSchema, AgentQuestion as QuestionSchema } from "claw-contract/schemas";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { groupRuns } from "../../process/testing/group-runs.ts";
import type { AgentDecision } from "./question-queue.ts";
import { askCommand } from "./permission-command.ts";
import { readCommandAnswer } from "./permission-command.ts";

const QUESTION: AgentQuestion = {
  id: "r1",
  about: "permission",
  harness: "claude-code",
  tool: "Bash",
  input: { command: "ls" },
  reason: "",
  cwd: "/project",
  event: { type: "control_request" },
};

const patient = new AbortController().signal;

const ask = (command: string, timeoutMs = 20_000, signal = patient, cwd = "/"): Promise<AgentDecision> =>
  askCommand({ command, cwd, env: process.env, timeoutMs }, QUESTION, signal);

/** A denial because the command did not answer; what it wrote to stderr is told to people alone. */
const unanswered = (message: string, stderr = ""): AgentDecision => ({
  decision: "deny",
  message,
  problem: `${message}${stderr === "" ? "" : `; its stderr ends: ${stderr}`}`,
});

describe("a command that answers for a permission", () => {
  test("gets the question as a line of JSON and is believed", async () => {
    const cwd = temporaryFolder(onTestFinished);
    const answer = await ask(
      `cat > question; echo '{"decision":"allow","input":{"command":"pwd"}}'`,
      20_000,
      patient,
      cwd,
    );
    expect(answer).toEqual({ decision: "allow", input: { command: "pwd" } });
    const question: unknown = JSON.parse(readFileSync(join(cwd, "question"), "utf8"));
    expect(question).toEqual(QUESTION);
    expect(QuestionSchema.parse(question)).toEqual(QUESTION);
  });

  test("need not read the question", async () => {
    expect(await ask(`echo '{"decision":"deny","message":"never"}'`)).toEqual({ decision: "deny", message: "never" });
  });

  test.each([
    ["fails", `echo '{"decision":"allow"}'; exit 3`, "the permission command failed: exit 3"],
    ["is killed", "kill -9 $$", "the permission command failed: SIGKILL"],
    ["says nothing", ":", "the permission command's answer is no JSON object"],
    ["says yes in words", "echo yes", "the permission command's answer is no JSON object"],
    ["decides nothing", "echo '{}'", "the permission command's answer has no 'decision'"],
    [
      "decides something else",
      `echo '{"decision":"maybe"}'`,
      "the permission command's answer has a 'decision' that is not what it should be",
    ],
    [
      "gives two answers",
      `echo '{"decision":"allow"}{"decision":"deny"}'`,
      "the permission command's answer is no JSON object",
    ],
    ["goes on and on", "yes", "the permission command's answer is too long"],
    [
      "is not there",
      "claw-has-no-such-command 2>/dev/null || { echo no such command >&2; exit 127; }",
      "the permission command failed: exit 127",
      "no such command",
    ],
    [
      "says why it fails",
      "seq 9 >&2; echo not today >&2; exit 3",
      "the permission command failed: exit 3",
      "6 | 7 | 8 | 9 | not today",
    ],
    [
      "prints prose and complains",
      "echo maybe; echo no policy file >&2",
      "the permission command's answer is no JSON object",
      "no policy file",
    ],
  ])("and %s has denied, and is named as the reason", async (_what, command, message, stderr = "") => {
    expect(await ask(command)).toEqual(unanswered(message, stderr));
  });

  test("and takes too long has denied, and is gone with its children", async () => {
    const cwd = temporaryFolder(onTestFinished);
    const command = "echo $$ > pid; trap '' TERM; (trap '' TERM; sleep 600) & while :; do sleep 0.05; done";
    expect(await ask(command, 300, patient, cwd)).toEqual(
      unanswered("the permission command did not answer within 0.3 s"),
    );
    expect(groupRuns(Number(readFileSync(join(cwd, "pid"), "utf8")))).toBe(false);
  });

  test.each([[20_000.25], [2 ** 31], [2 ** 33]])("may be given any time to answer: %s ms", async (timeoutMs) => {
    expect(await ask(`echo '{"decision":"allow"}'`, timeoutMs)).toEqual({ decision: "allow" });
  });

  test("leaves nothing behind at the signal of the run, which asks many", async () => {
    const { signal } = new AbortController();
    await ask(`echo '{"decision":"allow"}'`, 20_000, signal);
    await ask("exit 3", 20_000, signal);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("is not asked what nobody wants to know any more", async () => {
    const cwd = temporaryFolder(onTestFinished);
    const answer = await ask(`touch asked; echo '{"decision":"allow"}'`, 20_000, AbortSignal.abort(), cwd);
    expect([answer.decision, existsSync(join(cwd, "asked"))]).toEqual(["deny", false]);
  });

  test("is not waited for when the question is taken back", async () => {
    const caller = new AbortController();
    const answer = ask("exec sleep 600", 60_000, caller.signal);
    caller.abort();
    expect((await answer).decision).toBe("deny");
  });

  test("cannot be started in a folder that is not there", async () => {
    expect(await ask(":", 1000, patient, "/nowhere/at/all")).toEqual(
      unanswered("the permission command did not start: ENOENT"),
    );
  });
});

test("answers are read as their schema says", () => {
  const members = fc.record(
    {
      decision: fc.constantFrom<unknown>("allow", "deny", "maybe", 1),
      message: fc.constantFrom<unknown>("no", 5),
      input: fc.constantFrom<unknown>({ a: 1 }, [], null),
      answers: fc.constantFrom<unknown>({ q: "a" }, { q: ["a", "b"] }, { q: 5 }, "x"),
      content: fc.constantFrom<unknown>({}, "x"),
      interrupt: fc.constantFrom<unknown>(true, "true"),
      unknown: fc.constant(1),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(members, (answer) => {
      const read = readCommandAnswer(JSON.stringify(answer));
      const parsed = AnswerSchema.safeParse(answer);
      expect(typeof read === "string" ? undefined : read).toEqual(parsed.data);
    }),
    { numRuns: 500 },
  );
});
