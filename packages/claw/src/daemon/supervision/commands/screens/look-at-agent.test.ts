import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { TerminalScreen } from "claw-contract";
import type { TerminalScript } from "../testing/scripted-terminal.ts";
import { promptWith, QUESTION, screenWith, scriptTerminal, UNKNOWN } from "../testing/scripted-terminal.ts";
import type { LookRequest } from "./look-at-agent.ts";
import { lookAtAgent, SCREEN_BUSY_MS, SCREEN_QUIET_MS, SCREEN_WAIT_MS, askedOn } from "./look-at-agent.ts";

const RULE = "─".repeat(40);
const AT_WORK = screenWith([RULE, "❯ ", RULE, "  esc to interrupt"], { x: 2, y: 1 });

async function look(script: Omit<TerminalScript, "end">, more: Partial<LookRequest> = {}) {
  const { terminals, pause, happened } = scriptTerminal({ ...script, end: () => undefined });
  const request = { terminals, terminalId: "1", harness: "claude-code" as const, after: null, calm: false, pause };
  return { seen: await lookAtAgent({ ...request, ...more }, new AbortController().signal), happened };
}

test.each([
  [promptWith(""), { kind: "at-rest" }],
  [promptWith("a draft"), { kind: "at-rest" }],
  [AT_WORK, { kind: "at-work" }],
  [QUESTION, { kind: "question", asks: "Write the file?" }],
  [UNKNOWN, { kind: "unknown" }],
])("a terminal that draws nothing is read for what it shows", async (screen, shown) => {
  const { seen } = await look({ screens: [screen], outputs: [null], long: [SCREEN_BUSY_MS] });
  expect(seen).toEqual({ total: 1, shown, quiet: true });
});

test("nothing is read before something was drawn, however long that takes", async () => {
  const { seen, happened } = await look({ screens: [], outputs: [null] }, { after: 7 });
  expect(seen).toEqual({ total: 7, shown: null, quiet: true });
  expect(new Set(happened)).toEqual(new Set(["output past 7", `pause ${SCREEN_WAIT_MS}`]));
});

test("a terminal that goes on drawing is read all the same, and is not called quiet", async () => {
  const script = { screens: [AT_WORK], outputs: [3, 4, 5, null], long: [SCREEN_QUIET_MS] };
  expect((await look(script)).seen).toEqual({ total: 1, shown: { kind: "at-work" }, quiet: false });
});

test("where rest is waited for, a terminal that goes on drawing is left unread", async () => {
  const script = { screens: [AT_WORK], outputs: [3, 4, 5, null], long: [SCREEN_QUIET_MS] };
  const { seen, happened } = await look(script, { calm: true });
  expect(seen).toEqual({ total: 0, shown: null, quiet: false });
  expect(happened).not.toContain("look");
});

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
