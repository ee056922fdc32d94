import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { AgentSession } from "./agent-session.ts";
import { NEW_SESSION, PROMPT_WAITS, reduceSession } from "./agent-session.ts";
import { readHook } from "./hook-fact.ts";
import type { Shown } from "./screen-evidence.ts";
import { looksFor, readShown } from "./screen-evidence.ts";

const REST: Shown = { kind: "at-rest" };
const WORK: Shown = { kind: "at-work" };
const UNKNOWN: Shown = { kind: "unknown" };
const ASKS: Shown = { kind: "question", asks: "Trust this folder?" };
const ASKED = "its terminal asks: Trust this folder? (answer: claw attach mend)";

/** What a session is after it was seen, and the signals that told of it. */
function see(session: AgentSession, ...screens: readonly Shown[]) {
  const signals: string[] = [];
  let now = session;
  for (const shown of screens) {
    const telling = readShown(now, shown, "mend");
    if (telling === null) continue;
    signals.push(...telling.signals.map(([name, text]) => (text === "" ? name : `${name}: ${text}`)));
    now = telling.session;
  }
  return { session: now, signals };
}

const RUNNING: AgentSession = { ...NEW_SESSION, turn: "running" };
const ENDED: AgentSession = { ...NEW_SESSION, turn: "ended", waits: PROMPT_WAITS, turns: 1 };

test.each(["no-at-permission", "esc-at-permission", "esc-while-thinking", "esc-while-streaming"])(
  "a turn that a person stops is over when the prompt rests, though no hook says so: %s",
  (name) => {
    const file = new URL(`../../../../../test/fixtures/hooks/claude-${name}.json`, import.meta.url);
    const reports = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, unknown>>[];
    const told = reports.flatMap((report) => readHook(report)).reduce(reduceSession, NEW_SESSION);
    expect(told).toMatchObject({ turn: "running", turns: 0 });
    const { session, signals } = see(told, REST);
    expect(session).toMatchObject({ turn: "ended", waits: PROMPT_WAITS, turns: 0 });
    expect(signals).toEqual(["turn_ended: its turn was stopped at its terminal", `needs_input: ${PROMPT_WAITS}`]);
    expect(see(session, REST).signals).toEqual([]);
  },
);

test("a dialog of a first start is asked of a person, once, until the agent goes on", () => {
  const { session, signals } = see(NEW_SESSION, ASKS, ASKS);
  expect(signals).toEqual([`needs_input: ${ASKED}`]);
  expect(session).toMatchObject({ waits: ASKED, turn: "none" });
  expect(see(session, WORK)).toMatchObject({ signals: ["turn_started"], session: { waits: null, shown: null } });
  expect(see(session, REST).signals).toEqual([`needs_input: ${PROMPT_WAITS}`]);
  const other: Shown = { kind: "question", asks: "Use this API key?" };
  expect(see(session, other).signals).toEqual([expect.stringContaining("Use this API key?")]);
  const started = readHook({ hook_event_name: "UserPromptSubmit" }).reduce(reduceSession, session);
  expect(started).toMatchObject({ turn: "running", waits: null, shown: null });
});

test("what a hook asks is not asked again, and its prompt gives way to what is asked in it", () => {
  const asking = readHook({ hook_event_name: "PermissionRequest", tool_name: "Write" }).reduce(reduceSession, RUNNING);
  expect(see(asking, ASKS, WORK, UNKNOWN).signals).toEqual([]);
  expect(see(ENDED, ASKS).signals).toEqual([`needs_input: ${ASKED}`]);
  expect(see(RUNNING, ASKS, WORK).signals).toEqual([`needs_input: ${ASKED}`, "turn_started"]);
});

test("an agent that works though no report said so is at work; one that is known to work is not told of", () => {
  expect(see(NEW_SESSION, WORK, WORK).signals).toEqual(["turn_started"]);
  expect(see(ENDED, WORK, REST).signals).toEqual([
    "turn_started",
    "turn_ended: its turn was stopped at its terminal",
    `needs_input: ${PROMPT_WAITS}`,
  ]);
  expect(see(RUNNING, WORK).signals).toEqual([]);
  expect(see(ENDED, REST).signals).toEqual([]);
});

test("a screen that is not known makes a turn unclear, once, until something is known again", () => {
  const { session, signals } = see(RUNNING, UNKNOWN, UNKNOWN);
  expect(signals).toEqual(["unclear: its terminal shows neither its prompt nor a question"]);
  expect(see(session, WORK).signals).toEqual(["turn_started"]);
  expect(see(session, REST).signals[0]).toMatch(/^turn_ended/);
  expect(see(NEW_SESSION, UNKNOWN).signals).toHaveLength(1);
  expect(see(ENDED, UNKNOWN).signals).toEqual([]);
});

test("rest is believed later before the first turn, and what is not known latest", () => {
  const looks = [looksFor(WORK, RUNNING), looksFor(ASKS, RUNNING), looksFor(REST, RUNNING)];
  expect(looks).toEqual([2, 2, 3]);
  expect(looksFor(REST, NEW_SESSION)).toBe(5);
  expect(looksFor(UNKNOWN, RUNNING)).toBe(12);
});
