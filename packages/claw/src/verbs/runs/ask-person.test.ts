import type { AgentAnswer, AgentQuestion } from "claw-contract";
import { createRedactor, MASK } from "claw-contract";
import { describe, expect, test } from "vitest";
import { askPerson } from "./ask-person.ts";

const QUESTION: AgentQuestion = {
  id: 1,
  about: "permission",
  harness: "claude-code",
  tool: "Bash",
  input: { command: "ls -l\npwd", timeout: 5 },
  reason: "to look around",
  cwd: "/project",
  event: {},
};

/** Asks somebody who types these lines, and keeps what was shown. */
async function ask(
  question: Partial<AgentQuestion>,
  ...typed: readonly (string | null)[]
): Promise<{ answer: AgentAnswer; shown: string[] }> {
  const shown: string[] = [];
  const lines = [...typed];
  const terminal = {
    ask: (text: string) => {
      shown.push(text);
      return Promise.resolve(lines.shift() ?? null);
    },
  };
  const redactor = createRedactor({ secrets: ["wren-4471-secret"] });
  const answer = await askPerson({ ...QUESTION, ...question }, { terminal, redactor }, new AbortController().signal);
  return { answer, shown };
}

describe("a permission", () => {
  test("shows what the tool would be given", async () => {
    const { answer, shown } = await ask({}, "y");
    expect(answer).toEqual({ decision: "allow" });
    expect(shown).toEqual([
      "The agent asks to use Bash: to look around\n  command:\n    ls -l\n    pwd\n  timeout:\n    5\n[y]es, [n]o? ",
    ]);
  });

  test.each([
    ["yes", "allow"],
    ["Y ", "allow"],
    ["n", "deny"],
    ["", "deny"],
    ["yes please", "deny"],
    ["s", "deny"],
    [null, "deny"],
  ] as const)("answered with %j is decided as %s", async (typed, decision) => {
    expect((await ask({}, typed)).answer.decision).toBe(decision);
  });

  test("masks secrets until somebody wants to see them", async () => {
    const { answer, shown } = await ask({ input: { command: "deploy wren-4471-secret" } }, "s", "y");
    expect(answer).toEqual({ decision: "allow" });
    expect(shown[0]).toContain(`deploy ${MASK}\n[y]es, [n]o, [s]how what is masked? `);
    expect(shown[1]).toContain("deploy wren-4471-secret\n[y]es, [n]o? ");
  });
});

describe("questions", () => {
  const questions = [
    { question: "Which color?", options: [{ label: "Red" }, { label: "Blue" }] },
    { id: "q2", question: "How many?" },
  ];

  test("are answered by number or in own words", async () => {
    const { answer, shown } = await ask({ about: "question", input: { questions } }, "2", "a lot");
    expect(answer).toEqual({ decision: "allow", answers: { "Which color?": "Blue", q2: "a lot" } });
    expect(shown).toEqual(["Which color?\n  1. Red\n  2. Blue\n> ", "How many?\n> "]);
  });

  test("without an answer are denied", async () => {
    expect((await ask({ about: "question", input: { questions } }, "1", "")).answer).toEqual({
      decision: "deny",
      message: "no answer came",
    });
  });
});

describe("a form", () => {
  const properties = {
    name: { type: "string", description: "yours" },
    age: { type: "integer" },
    ok: { type: "boolean" },
  };

  test.each([
    ["of Claude Code", { properties }],
    ["of Codex", { requestedSchema: { properties } }],
  ])("%s is filled in field by field", async (_name, input) => {
    const { answer, shown } = await ask(
      { about: "elicitation", tool: "tiny", input, reason: "Who?" },
      "Ada",
      "36",
      "yes",
    );
    expect(answer).toEqual({ decision: "allow", content: { name: "Ada", age: 36, ok: true } });
    expect(shown[0]).toBe("tiny asks: Who?\nname (yours): ");
  });

  test("that is left empty is denied", async () => {
    expect((await ask({ about: "elicitation", input: { properties } }, "")).answer.decision).toBe("deny");
  });
});
