import type { HarnessId, TerminalScreen } from "claw-contract";
import { describe, expect, test } from "vitest";
import { screenWith } from "../testing/scripted-terminal.ts";
import { AGENT_PROMPTS } from "./agent-prompts.ts";

const RULE = "─".repeat(20);

/** A screen of twenty columns whose cursor stands in a row of it. */
const screenOf = (lines: readonly string[], y: number, more = {}): TerminalScreen =>
  screenWith(lines, { x: 4, y }, { cols: 20, ...more });

const find = (harness: HarnessId, ...screen: Parameters<typeof screenOf>) =>
  AGENT_PROMPTS[harness].find(screenOf(...screen));

const isAtWork = (harness: HarnessId, ...screen: Parameters<typeof screenOf>): boolean | undefined => {
  const { find: rowsOf, isAtWork: says } = AGENT_PROMPTS[harness];
  const rows = rowsOf(screenOf(...screen));
  return rows && says(screenOf(...screen), rows);
};

describe("Claude Code's prompt", () => {
  test("stands between two rules, with all the rows between them", () => {
    expect(find("claude-code", ["said", RULE, "❯ a", RULE, "  ?"], 2)).toEqual({ first: 2, last: 2 });
    expect(find("claude-code", [RULE, "❯ a", "", "  b", RULE], 3)).toEqual({ first: 1, last: 3 });
  });

  test("has a name in its upper rule, or not, and a rule is as wide as the screen", () => {
    expect(find("claude-code", [`──── name ${"─".repeat(10)}`, "❯ a", RULE], 1)).toEqual({ first: 1, last: 1 });
    expect(find("claude-code", ["─".repeat(19), "❯ a", RULE], 1)).toBeUndefined();
    expect(find("claude-code", ["x".repeat(20), "❯ a", RULE], 1)).toBeUndefined();
    expect(find("claude-code", [RULE, "❯ a", "─".repeat(19)], 1)).toBeUndefined();
    expect(find("claude-code", ["❯ a", RULE], 0)).toBeUndefined();
  });

  test("goes to the end of a screen that is too small for its lower rule", () => {
    expect(find("claude-code", [RULE, "❯ a", "  b", "  c"], 3)).toEqual({ first: 1, last: 3 });
    expect(find("claude-code", [RULE, "❯ a"], 1)).toEqual({ first: 1, last: 1 });
  });

  test("is none when something else than a rule ends it", () => {
    expect(find("claude-code", [RULE, "❯ a", "other", RULE], 1)).toBeUndefined();
  });

  test("says that the agent is at work below its lower rule, and nowhere else", () => {
    const work = "  esc to interrupt";
    expect(isAtWork("claude-code", [RULE, "❯ a", RULE, work], 1)).toBe(true);
    expect(isAtWork("claude-code", [RULE, "❯ a", RULE, "  ?", work], 1)).toBe(true);
    expect(isAtWork("claude-code", [work, RULE, `❯ esc to interrupt`, RULE, "  ?"], 2)).toBe(false);
    expect(isAtWork("claude-code", [RULE, "❯ a", RULE, "  desc to interrupts"], 1)).toBe(false);
  });
});

describe("Codex's prompt", () => {
  const FOOT = ["", "  model · folder"];

  test("stands below a blank row, or at the top, and ends before the last blank row", () => {
    expect(find("codex", ["said", "", "› a", ...FOOT], 2)).toEqual({ first: 2, last: 2 });
    expect(find("codex", ["› a", "  b", ...FOOT], 1)).toEqual({ first: 0, last: 1 });
    expect(find("codex", ["", "› a", "", "  b", ...FOOT], 3)).toEqual({ first: 1, last: 3 });
  });

  test("is none below something else, without a foot, or with something else in it", () => {
    expect(find("codex", ["said", "› a", ...FOOT], 1)).toBeUndefined();
    expect(find("codex", ["", "› a"], 1)).toBeUndefined();
    expect(find("codex", ["", "› a", "  foot"], 1)).toBeUndefined();
    expect(find("codex", ["", "› a", "other", ...FOOT], 1)).toBeUndefined();
    expect(find("codex", ["", "a", ...FOOT], 1)).toBeUndefined();
  });

  test("is none when the cursor stands in its foot, or is hidden", () => {
    expect(find("codex", ["", "› a", ...FOOT], 2)).toBeUndefined();
    expect(find("codex", ["", "› a", ...FOOT], 3)).toBeUndefined();
    expect(find("codex", ["", "› a", ...FOOT], 1, { cursorHidden: true })).toBeUndefined();
    expect(find("codex", ["", "› a", ...FOOT], 1, { cursorHidden: false })).toEqual({ first: 1, last: 1 });
  });

  test("says that the agent is at work in the nearest row above it", () => {
    const work = "• Working (esc to interrupt)";
    expect(isAtWork("codex", [work, "", "› a", ...FOOT], 2)).toBe(true);
    expect(isAtWork("codex", [work, "said", "", "› a", ...FOOT], 3)).toBe(false);
    expect(isAtWork("codex", ["", "› esc to interrupt", "", "  esc to interrupt"], 1)).toBe(false);
    expect(isAtWork("codex", ["› a", ...FOOT], 0)).toBe(false);
  });
});

describe("our own chat's prompt", () => {
  test("stands below a blank row, or at the top, and goes to the end of the screen", () => {
    expect(find("claw", ["said", "", "› a", "  b"], 3)).toEqual({ first: 2, last: 3 });
    expect(find("claw", ["› a", "  b", "  hint"], 0)).toEqual({ first: 0, last: 2 });
    expect(find("claw", ["", "› a", "", ""], 3)).toEqual({ first: 1, last: 3 });
    expect(isAtWork("claw", ["", "› esc to interrupt"], 1)).toBe(false);
  });

  test("is none below something else, or with something else in any of its rows", () => {
    expect(find("claw", ["said", "› a"], 1)).toBeUndefined();
    expect(find("claw", ["", "a"], 1)).toBeUndefined();
    expect(find("claw", ["", "› a", "other", "  b"], 1)).toBeUndefined();
    expect(find("claw", ["", "› a", "  b", "other"], 1)).toBeUndefined();
    expect(find("claw", ["", "› a", "  b", "", "other"], 1)).toBeUndefined();
  });

  test("is none when the cursor is hidden", () => {
    expect(find("claw", ["", "› a"], 1, { cursorHidden: true })).toBeUndefined();
  });
});

test.each<[HarnessId, readonly string[], readonly string[]]>([
  ["claude-code", ["", 'Try "fix it"', "Press up to edit queued messages"], ["Try", "try it", "Press up"]],
  ["codex", ["", "Ask Codex to do anything"], ["Ask Codex", "Ask Codex to do anything else"]],
  ["claw", [""], ["a", " "]],
])("an empty prompt of %s shows nothing but its own hints", (harness, hints, texts) => {
  const { placeholder } = AGENT_PROMPTS[harness];
  expect([hints, texts].map((all) => all.map((text) => placeholder.test(text)))).toEqual([
    hints.map(() => true),
    texts.map(() => false),
  ]);
});
