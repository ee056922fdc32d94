import { expect, test } from "vitest";
import type { TerminalScript } from "../testing/scripted-terminal.ts";
import { promptWith, QUESTION, screenWith, scriptTerminal, UNKNOWN } from "../testing/scripted-terminal.ts";
import type { LookRequest } from "./look-at-agent.ts";
import { lookAtAgent, SCREEN_BUSY_MS, SCREEN_QUIET_MS, SCREEN_WAIT_MS } from "./look-at-agent.ts";

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
