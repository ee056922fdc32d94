import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { HARNESS_IDS } from "claw-contract";
import type { HarnessId, TerminalScreen } from "claw-contract";
import { describe, expect, test } from "vitest";
import { HINDRANCES, hindranceTo, holdsPaste, readAgentScreen } from "./read-agent-screen.ts";
import type { AgentReading } from "./read-agent-screen.ts";

const FOLDER = fileURLToPath(new URL("../../../../../../../test/fixtures/screens/", import.meta.url));
const readJson = (path: string): unknown => JSON.parse(readFileSync(`${FOLDER}${path}.json`, "utf8"));
/** What each recorded screen shows, as a person checked it. */
const EXPECTED = readJson("expected") as Readonly<Record<string, AgentReading>>;

const RECORDED = HARNESS_IDS.filter((harness) => harness !== "fake").flatMap((harness) =>
  readdirSync(`${FOLDER}${harness}`).map((file) => ({ harness, name: `${harness}/${file.replace(".json", "")}` })),
);

const screenOf = (name: string): TerminalScreen => {
  const kept = readJson(name) as Omit<TerminalScreen, "text" | "exact" | "offset">;
  return { ...kept, text: kept.lines.join("\n"), exact: true, offset: 0 };
};
const named = (end: string) => RECORDED.filter(({ name }) => name.endsWith(`/${end}`));
const read = (harness: HarnessId, name: string): AgentReading => readAgentScreen(harness, screenOf(name));
const closed = RECORDED.filter(({ name }) => EXPECTED[name]?.kind !== "prompt");

describe("a recorded screen", () => {
  test("is known for each that is expected, and expected for each that is known", () => {
    expect(RECORDED.map(({ name }) => name).toSorted()).toEqual(Object.keys(EXPECTED).toSorted());
  });

  test.each(RECORDED)("is read for what it is: $name", ({ harness, name }) => {
    expect(read(harness, name)).toEqual(EXPECTED[name]);
  });

  test.each(closed)("that is no prompt lets nothing be typed, whatever the text: $name", ({ harness, name }) => {
    const reading = read(harness, name);
    expect(hindranceTo(reading, { isMarked: true })).toBe(HINDRANCES[reading.kind as "question" | "unknown"]);
    for (const line of [...screenOf(name).lines, screenOf(name).text]) expect(holdsPaste(reading, line)).toBe(false);
  });

  test.each(RECORDED.filter(({ name }) => /\/(?:small-\d+-)?prompt$|-queued$/.test(name)))(
    "of an empty prompt is one too where faint text cannot be told apart: $name",
    ({ harness, name }) => {
      const { solid: _solid, ...plain } = screenOf(name);
      expect(readAgentScreen(harness, plain)).toEqual(EXPECTED[name]);
    },
  );

  test.each(RECORDED.filter(({ name }) => EXPECTED[name]?.kind !== "prompt" || EXPECTED[name].text !== ""))(
    "is not taken for an empty prompt where faint text cannot be told apart: $name",
    ({ harness, name }) => {
      const { solid: _solid, cursorHidden: _hidden, ...plain } = screenOf(name);
      expect(hindranceTo(readAgentScreen(harness, plain), { isMarked: true })).not.toBeNull();
    },
  );

  test.each(RECORDED)("of one agent is no empty prompt to the others' eyes by its cursor alone: $name", ({ name }) => {
    const { cursor, ...rest } = screenOf(name);
    for (const harness of HARNESS_IDS) {
      const elsewhere = readAgentScreen(harness, { ...rest, cursor: { x: 0, y: cursor.y } });
      expect(elsewhere.kind).not.toBe("prompt");
    }
  });
});

describe("a prompt with a text", () => {
  test.each(named("prompt-lines"))("holds it over several rows: $name", ({ harness, name }) => {
    expect(holdsPaste(read(harness, name), "first line\n\nthird line")).toBe(true);
    expect(holdsPaste(read(harness, name), "third line")).toBe(false);
    expect(holdsPaste(read(harness, name), "another first line\n\nthird line")).toBe(true);
  });

  test.each(named("prompt-wide"))("holds it where characters take two columns: $name", ({ harness, name }) => {
    expect(holdsPaste(read(harness, name), `${"wide 漢字 ".repeat(20)}at the end`)).toBe(true);
    expect(holdsPaste(read(harness, name), `${"wide 漢字 ".repeat(20)}at the beginning`)).toBe(false);
  });

  test.each(named("prompt-mark"))("holds what stands for a long one: $name", ({ harness, name }) => {
    expect(holdsPaste(read(harness, name), "long\n".repeat(100))).toBe(true);
  });

  test.each(named("prompt-lookalike"))("is a prompt, though the text looks like a question: $name", (recorded) => {
    const text = `Do you want to proceed?\n❯ 1. Yes · Esc to cancel\n${"─".repeat(120)}`;
    expect(holdsPaste(read(recorded.harness, recorded.name), text)).toBe(true);
  });

  test.each(RECORDED.filter(({ name }) => name.endsWith("-long-text")))("shows its end: $name", ({ harness, name }) => {
    expect(holdsPaste(read(harness, name), "word ".repeat(100))).toBe(true);
    expect(holdsPaste(read(harness, name), `${"word ".repeat(100)}more`)).toBe(false);
  });

  test.each(named("prompt-draft"))("is let alone: $name", ({ harness, name }) => {
    expect(hindranceTo(read(harness, name), { isMarked: true })).toBe(HINDRANCES.draft);
    expect(holdsPaste(read(harness, name), "and more")).toBe(false);
    expect(holdsPaste(read(harness, name), "a draft of mine and more")).toBe(false);
  });

  test("needs enough of its end to be seen", () => {
    const seen = (text: string): AgentReading => ({ kind: "prompt", text, isAtWork: false });
    expect(holdsPaste(seen("12345678901"), "0 12345678901")).toBe(false);
    expect(holdsPaste(seen("012345678901"), "x 012345678901")).toBe(true);
    expect(holdsPaste(seen(""), "\u200b")).toBe(false);
    expect(holdsPaste(seen("[Pasted text] and more"), "x".repeat(9000))).toBe(false);
  });
});

describe("an empty prompt", () => {
  test.each(named("prompt"))("takes a text while pastes are marked: $name", ({ harness, name }) => {
    expect(hindranceTo(read(harness, name), { isMarked: true })).toBeNull();
    expect(hindranceTo(read(harness, name), { isMarked: false })).toBe(HINDRANCES.unmarked);
    expect(holdsPaste(read(harness, name), "anything")).toBe(false);
  });

  test.each(named("at-work"))("takes none while the agent is at work: $name", ({ harness, name }) => {
    expect(hindranceTo(read(harness, name), { isMarked: true })).toBe(HINDRANCES.atWork);
  });
});
