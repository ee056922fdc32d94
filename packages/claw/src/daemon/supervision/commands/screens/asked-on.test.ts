import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { TerminalScreen } from "claw-contract";
import { askedOn } from "./asked-on.ts";

const screenOf = (name: string): TerminalScreen => {
  const file = new URL(`../../../../../../../test/fixtures/screens/${name}.json`, import.meta.url);
  const kept = JSON.parse(readFileSync(file, "utf8")) as Omit<TerminalScreen, "text" | "exact" | "offset">;
  return { ...kept, text: kept.lines.join("\n"), exact: true, offset: 0 };
};

test.each([
  ["claude-code/trust", "Quick safety check: Is this a project you created or one you trust?"],
  ["claude-code/api-key", "Do you want to use this API key?"],
  ["claude-code/theme", "Let's get started. Choose the text style that looks best with your terminal"],
  ["claude-code/mcp-server", "New MCP server found in this project: notes"],
  ["claude-code/permission", "Do you want to create out.txt?"],
  ["claude-code/question", "Which colour?"],
  ["codex/trust", "Trust this folder?"],
  ["codex/model-offer", "Meet GPT-6 Sol"],
  ["codex/update", "Update available · 0.166.0 → 9.9.9"],
  ["codex/permission", "Would you like to run the following command? $ echo escalated > out.txt"],
])("says what is asked on the screen: %s", (name, asked) => {
  expect(askedOn(screenOf(name))).toContain(asked);
});

test("says nothing of an empty screen, and cuts what is long", () => {
  const blank: TerminalScreen = { ...screenOf("codex/trust"), lines: [], text: "" };
  expect(askedOn(blank)).toBe("");
  expect(askedOn({ ...blank, lines: [`${"why ".repeat(100)}?`, "› 1. Yes"] })).toHaveLength(120);
});

test("a heading shorter than 24 characters is said with the row below", () => {
  const asking = (heading: string): string =>
    askedOn({ ...screenOf("codex/trust"), lines: [heading, "below it", "› 1. Yes"], text: "" });
  expect(asking("h".repeat(23))).toBe(`${"h".repeat(23)} below it`);
  expect(asking("h".repeat(24))).toBe("h".repeat(24));
});
