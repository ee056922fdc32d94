import { describe, expect, test } from "vitest";
import type { TerminalScreen } from "claw-contract";
import { injectIntoAgent } from "./agent-injection.ts";
import { HINDRANCES } from "./screens/read-agent-screen.ts";
import { promptWith, QUESTION, scriptTerminal, UNKNOWN } from "./testing/scripted-terminal.ts";

const PACE = { seenMs: 1, silentMs: 2, settleMs: 10, lookMs: 500 };
const TEXT = "please fix the test";
const EMPTY = promptWith("");
const PASTED = promptWith(TEXT);
const BUSY = promptWith("", { lines: [...EMPTY.lines.slice(0, -1), "  esc to interrupt"] });

interface Options {
  readonly text?: string;
  readonly isBusy?: () => boolean;
  readonly begun?: (end: AbortController) => void;
  readonly injected?: (end: AbortController) => void;
}

/** Types into an agent whose screens are these; ends, as if the time were over, when there are no more of them. */
async function type(screens: readonly TerminalScreen[], options: Options = {}) {
  const end = new AbortController();
  const { terminals, pause, happened } = scriptTerminal({ screens, end: () => end.abort("expired") });
  const { text = TEXT, isBusy = () => false, begun, injected } = options;
  const typing = injectIntoAgent(
    {
      terminals,
      terminalId: "5",
      text,
      pace: PACE,
      pause,
      harness: "claude-code",
      isBusy,
      begun: async (offset) => {
        happened.push(`begun ${offset}`);
        begun?.(end);
      },
      injected: async (offset) => {
        happened.push(`injected ${offset}`);
        injected?.(end);
      },
      entered: () => void happened.push("entered"),
      held: (why) => void happened.push(`held: ${why}`),
    },
    end.signal,
  );
  const outcome = await typing.catch((error: unknown) => error);
  return { outcome, happened };
}

/** What was done and told, without looks and pauses. */
const deeds = (happened: readonly string[]): string[] => happened.filter((each) => !/^(look|pause|output)/.test(each));

/** How many looks there were up to a place, that place included. */
const countLooks = (happened: readonly string[], at: number): number =>
  happened.slice(0, at + 1).filter((each) => each === "look").length;

const repeat = (count: number, screen: TerminalScreen): TerminalScreen[] => Array.from({ length: count }, () => screen);

const LOOK = ["look", "pause 10"];
const AGREED = [...LOOK, ...LOOK, "look"];
const hindered = (offset: number): string[] => ["look", "pause 500", `output past ${offset}`, "pause 10"];
const OPEN = repeat(4, EMPTY);
const SEEN = repeat(4, PASTED);
const TAKEN = repeat(3, EMPTY);

describe("a text for an agent", () => {
  test("is pasted, seen and entered, each after as many looks as have to agree", async () => {
    const { outcome, happened } = await type([...OPEN, ...SEEN, ...TAKEN]);
    expect(happened).toEqual([
      ...AGREED,
      "begun 3",
      "look",
      `paste ${TEXT}`,
      ...AGREED,
      "injected 7",
      "look",
      "enter",
      "entered",
      ...AGREED,
    ]);
    expect(outcome).toBe(11);
  });

  test("that cannot be typed is refused before anything is looked at", async () => {
    const { outcome, happened } = await type(OPEN, { text: " \n" });
    expect([outcome, happened]).toEqual([expect.objectContaining({ code: "COMMAND_REFUSED" }), []]);
  });

  test("waits for output, and not for ever, after a look that finds something in the way", async () => {
    const { happened } = await type([QUESTION]);
    expect(happened).toEqual([...hindered(1), "look"]);
  });

  test("is pasted after looks that agree one after the other, counted anew after any other", async () => {
    const { happened } = await type([EMPTY, EMPTY, QUESTION, EMPTY, EMPTY, EMPTY]);
    expect(happened).toEqual([...LOOK, ...LOOK, ...hindered(3), ...AGREED, "begun 6", "look"]);
  });

  test("is told to be held when as many looks find the same, once until another is found", async () => {
    const { happened } = await type([
      ...repeat(2, QUESTION),
      ...repeat(5, UNKNOWN),
      EMPTY,
      ...repeat(3, UNKNOWN),
      ...repeat(3, QUESTION),
    ]);
    const told = [HINDRANCES.unknown, HINDRANCES.unknown, HINDRANCES.question].map((why) => `held: ${why}`);
    expect(deeds(happened)).toEqual(told);
    expect(countLooks(happened, happened.indexOf(`held: ${HINDRANCES.unknown}`))).toBe(5);
  });

  test.each([
    ["a question is open", QUESTION, HINDRANCES.question],
    ["the screen is not known", UNKNOWN, HINDRANCES.unknown],
    ["the prompt holds a draft", promptWith("a draft of mine"), HINDRANCES.draft],
    ["the agent is at work", BUSY, HINDRANCES.atWork],
    ["pastes are not marked", promptWith("", { bracketedPaste: false }), HINDRANCES.unmarked],
  ])("is not pasted while %s", async (_, screen, why) => {
    const { outcome, happened } = await type(repeat(6, screen));
    expect([outcome, deeds(happened)]).toEqual(["expired", [`held: ${why}`]]);
  });

  test("is not pasted while something else says that the agent is at work", async () => {
    const { happened } = await type(OPEN, { isBusy: () => true });
    expect(deeds(happened)).toEqual([`held: ${HINDRANCES.atWork}`]);
  });
});

describe("between two steps", () => {
  test("a question that came up while the beginning was written down keeps the paste back", async () => {
    const { happened } = await type([...repeat(3, EMPTY), ...repeat(3, QUESTION), ...repeat(3, EMPTY), ...SEEN]);
    const steps = ["begun 3", `held: ${HINDRANCES.question}`, `paste ${TEXT}`, "injected 12", "enter", "entered"];
    expect(deeds(happened)).toEqual(steps);
  });

  test.each([
    ["the prompt does not show it", EMPTY, HINDRANCES.unseen],
    ["the prompt shows another text", promptWith("something else"), HINDRANCES.unseen],
    ["a question stands over it", QUESTION, HINDRANCES.question],
    ["the screen is not known", UNKNOWN, HINDRANCES.unknown],
  ])("a paste is not said to be injected while %s", async (_, screen, why) => {
    const { outcome, happened } = await type([...OPEN, ...repeat(4, screen)]);
    expect([outcome, deeds(happened)]).toEqual(["expired", ["begun 3", `paste ${TEXT}`, `held: ${why}`]]);
  });

  test("a question that came up after the paste was seen keeps Enter back until the paste is seen again", async () => {
    const { happened } = await type([...OPEN, ...repeat(3, PASTED), ...repeat(3, QUESTION), ...SEEN]);
    const steps = ["begun 3", `paste ${TEXT}`, "injected 7", `held: ${HINDRANCES.question}`, "enter", "entered"];
    expect(deeds(happened)).toEqual(steps);
    expect(countLooks(happened, happened.indexOf("enter"))).toBe(13);
  });

  test("the time may be over: nothing more is done", async () => {
    const stop = (end: AbortController): void => end.abort("let go");
    const before = await type([...OPEN, ...SEEN], { begun: stop });
    expect([before.outcome, deeds(before.happened)]).toEqual(["let go", ["begun 3"]]);
    const after = await type([...OPEN, ...SEEN], { injected: stop });
    expect([after.outcome, after.happened.slice(-2)]).toEqual(["let go", ["look", "injected 7"]]);
  });
});

test("after Enter nothing is told, and the text is taken when the prompt is seen without it", async () => {
  const screens = [...repeat(4, PASTED), ...repeat(4, QUESTION), ...repeat(4, UNKNOWN), EMPTY, PASTED, ...TAKEN];
  const { outcome, happened } = await type([...OPEN, ...SEEN, ...screens]);
  expect([outcome, happened.at(-1)]).toEqual([25, "look"]);
  expect(deeds(happened)).toEqual(["begun 3", `paste ${TEXT}`, "injected 7", "enter", "entered"]);
});
