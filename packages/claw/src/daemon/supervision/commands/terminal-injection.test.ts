import type { TerminalScreen } from "claw-contract";
import { COMMAND_LIMITS } from "claw-contract";
import { describe, expect, test } from "vitest";
import { injectText, prepareText } from "./terminal-injection.ts";
import type { TerminalScript } from "./testing/scripted-terminal.ts";
import { screenWith, scriptTerminal } from "./testing/scripted-terminal.ts";

const PACE = { seenMs: 20, silentMs: 300, settleMs: 10, lookMs: 500 };
const TEXT = "hello there";

/** A program's line with a text in it, and the cursor behind that. */
const line = (text: string, more = {}): TerminalScreen =>
  screenWith(["said", `> ${text}`], { x: 2 + text.length, y: 1 }, more);

const EMPTY = line("");
const TYPED = line(TEXT);
/** Something else is drawn. */
const SPINNING = screenWith(["other", "> "], { x: 2, y: 1 });

interface Options extends Partial<Omit<TerminalScript, "end">> {
  readonly begun?: (end: AbortController) => void;
  readonly injected?: (end: AbortController) => void;
}

/** Types into a program of this script; the time is over when the script is. */
async function type(options: Options) {
  const end = new AbortController();
  const { screens = [], outputs = [], long = [PACE.seenMs, PACE.silentMs], begun, injected } = options;
  const script = { screens, outputs, long, end: () => end.abort("expired") };
  const { terminals, pause, happened } = scriptTerminal(script);
  const typing = injectText(
    {
      terminals,
      terminalId: "5",
      text: TEXT,
      pace: PACE,
      pause,
      begun: async (offset) => {
        happened.push(`begun ${offset}`);
        begun?.(end);
      },
      injected: async (offset) => {
        happened.push(`injected ${offset}`);
        injected?.(end);
      },
      entered: () => void happened.push("entered"),
    },
    end.signal,
  );
  const outcome = await typing.catch((error: unknown) => error);
  return { outcome, happened };
}

const BEGUN = ["look", "begun 1", `paste ${TEXT}`];
const SILENCE = ["pause 300", "output past 1"];
/** Enter after a look with this number. */
const entered = (looks: number): string[] => ["pause 10", "look", "enter", "entered", `output past ${looks + 2}`];
const GONE = ["look", "pause 10", "look", "pause 10", "look"];

describe("a text for a program in a terminal", () => {
  test("is entered when it is seen, and taken when as many looks as have to agree see it no more", async () => {
    const { outcome, happened } = await type({ screens: [EMPTY, TYPED, TYPED, EMPTY, EMPTY, EMPTY], outputs: [2, 9] });
    expect(happened).toEqual([...BEGUN, ...SILENCE, "pause 20", "look", "injected 2", ...entered(3), ...GONE]);
    expect(outcome).toBe(9);
  });

  test("is looked for at every output until it is seen", async () => {
    const screens = [EMPTY, SPINNING, SPINNING, TYPED, TYPED, EMPTY, EMPTY, EMPTY];
    const { outcome, happened } = await type({ screens, outputs: [2, 3, 4, 9] });
    const seen = ["pause 20", "look", "output past 2", "look", "output past 3", "look", "injected 4"];
    expect(happened).toEqual([...BEGUN, ...SILENCE, ...seen, ...entered(5), ...GONE]);
    expect(outcome).toBe(9);
  });

  test("is not taken while a look still sees it, and waited for anew past what was seen", async () => {
    const screens = [EMPTY, TYPED, TYPED, EMPTY, EMPTY, TYPED, EMPTY, EMPTY, EMPTY];
    const { outcome, happened } = await type({ screens, outputs: [2, 9, 12] });
    const twice = [...GONE, "output past 9", ...GONE];
    expect([outcome, happened.slice(-twice.length)]).toEqual([12, twice]);
  });

  test("is entered when the program is silent for long, and nothing is claimed that was not seen", async () => {
    const { outcome, happened } = await type({ screens: [EMPTY, EMPTY], outputs: [null, 9], long: [] });
    expect(happened).toEqual([...BEGUN, ...SILENCE, "injected 1", ...entered(2), "output past 9"]);
    expect(outcome).toBe("expired");
  });

  test("is entered when its line shows something else instead", async () => {
    const screens = [EMPTY, SPINNING, line("***"), line("***")];
    const { happened } = await type({ screens, outputs: [2, null, 9], long: [PACE.silentMs] });
    const seen = ["pause 20", "look", "output past 2", "look", "injected 3"];
    expect(happened).toEqual([...BEGUN, ...SILENCE, ...seen, ...entered(4), "output past 9"]);
  });

  test("is waited for as long as for a silent program where only something else is drawn", async () => {
    const screens = [EMPTY, SPINNING, SPINNING, TYPED, TYPED, EMPTY, EMPTY, EMPTY];
    const { outcome, happened } = await type({ screens, outputs: [2, null, 9], long: [PACE.silentMs] });
    const seen = ["pause 20", "look", "output past 2", "look", "pause 300", "look", "injected 4"];
    expect(happened).toEqual([...BEGUN, ...SILENCE, ...seen, ...entered(5), ...GONE]);
    expect(outcome).toBe(9);
  });
});

describe("a program that takes no pastes", () => {
  const plain = (text: string): TerminalScreen => line(text, { bracketedPaste: false });
  const screens = [plain(""), plain(TEXT), plain(TEXT), plain(""), plain(""), plain("")];
  const typed = ["look", "begun 1", `type ${TEXT}`, ...SILENCE, "pause 20", "look", "injected 2", "pause 10"];
  const enter = ["pause 20", "output past 2", "look", "enter", "entered", "output past 5"];

  test("is believed by what it prints after Enter when it prints nothing before", async () => {
    const { outcome, happened } = await type({ screens, outputs: [2, null, 9], long: [PACE.silentMs] });
    expect(happened).toEqual([...typed, ...enter, ...GONE]);
    expect(outcome).toBe(9);
  });

  test("is not believed when it prints by itself", async () => {
    const { outcome, happened } = await type({ screens, outputs: [2, 3, 9] });
    expect(happened).toEqual([...typed, ...enter, "output past 9"]);
    expect(outcome).toBe("expired");
  });
});

describe("nothing more is done", () => {
  const stop = (end: AbortController): void => end.abort("let go");
  const screens = [EMPTY, TYPED, TYPED];

  test("when the time is over before the first byte", async () => {
    expect(await type({ screens: [] })).toEqual({ outcome: "expired", happened: ["look"] });
    const { outcome, happened } = await type({ screens, outputs: [2], begun: stop });
    expect([outcome, happened]).toEqual(["let go", ["look", "begun 1"]]);
  });

  test("when it is over before Enter", async () => {
    const { outcome, happened } = await type({ screens, outputs: [2], injected: stop });
    expect([outcome, happened.at(-1)]).toEqual(["let go", "injected 2"]);
    const late = await type({ screens: [EMPTY, TYPED], outputs: [2] });
    expect([late.outcome, late.happened.at(-1)]).toEqual(["expired", "look"]);
  });
});

describe("what is typed", () => {
  const bytesOf = (text: string, marked: boolean): number => prepareText("5", text, marked).bytes.length;

  test("is a marked paste, or one line", () => {
    const text = "a\tb\n\u0003c\n";
    const encode = (typed: string): Uint8Array => new TextEncoder().encode(typed);
    expect(prepareText("5", text, true)).toEqual({
      bytes: encode("\u001b[200~a\tb\n␃c\u001b[201~"),
      inert: "a\tb\n␃c",
      end: "␃c",
      marked: true,
    });
    expect(prepareText("5", text, false)).toEqual({
      bytes: encode("a b ␃c"),
      inert: "a b ␃c",
      end: "ab␃c",
      marked: false,
    });
  });

  test("is as long as the limits say, and not a byte longer", () => {
    const { pastedBytes, typedLineBytes } = COMMAND_LIMITS;
    const marks = bytesOf("x", true) - 1;
    expect(bytesOf("x".repeat(pastedBytes - marks), true)).toBe(pastedBytes);
    expect(bytesOf("x".repeat(typedLineBytes), false)).toBe(typedLineBytes);
    const refused = (limit: number): unknown =>
      expect.objectContaining({
        code: "COMMAND_REFUSED",
        message: `it is longer than the ${limit} bytes that can be typed`,
        target: "5",
      });
    expect(() => bytesOf("x".repeat(pastedBytes - marks + 1), true)).toThrow(refused(pastedBytes));
    expect(() => bytesOf("x".repeat(typedLineBytes + 1), false)).toThrow(refused(typedLineBytes));
    expect(() => bytesOf(`${"x".repeat(typedLineBytes - 1)}ü`, false)).toThrow(refused(typedLineBytes));
  });

  test("is nothing where nothing would be seen", () => {
    for (const text of ["", " \n", "──"]) {
      expect(() => prepareText("5", text, true)).toThrow("there is nothing to type");
    }
  });
});
