import { setImmediate } from "node:timers/promises";
import { LIMITS } from "claw-contract";
import { describe, expect, test } from "vitest";
import type { LineCompletion, TypedLineRequest, Span } from "../../verbs/index.ts";
import { openScreen } from "./open-screen.ts";
import { createStyleText } from "./style-text.ts";
import { createMemoryDevice } from "./testing/memory-device.ts";

const NEVER = new AbortController().signal;
const NOTHING: LineCompletion = { start: 0, candidates: [] };
const line = (more: Partial<TypedLineRequest> = {}): TypedLineRequest => ({
  prompt: { text: "> " },
  history: [],
  complete: () => Promise.resolve(NOTHING),
  ...more,
});

function open() {
  const device = createMemoryDevice();
  return { device, screen: openScreen(device, createStyleText(false)) };
}

/** What a person would see of the last rows, without what moves the cursor. */
const plain = (text: string): string => text.replaceAll(/\u001B\[[?0-9;]*[A-Za-z]/g, "").replaceAll("\r", "");

describe("a line that is read", () => {
  test("is what was typed, edited and submitted", async () => {
    const { device, screen } = open();
    const read = screen.readLine(line(), NEVER);
    device.type("helo\u001B[Dl\u0005!\r");
    expect(await read).toBe("hello!");
  });

  test("may have been typed before anybody asked, also several of them", async () => {
    const { device, screen } = open();
    device.type("one\rtwo\rthr");
    expect(await screen.readLine(line(), NEVER)).toBe("one");
    expect(await screen.readLine(line(), NEVER)).toBe("two");
    const read = screen.readLine(line(), NEVER);
    device.type("ee\r");
    expect(await read).toBe("three");
  });

  test("may be pasted with line ends in it, and goes on behind a backslash", async () => {
    const { device, screen } = open();
    const read = screen.readLine(line(), NEVER);
    device.type("\u001B[200~a\r\nb\u0007\u001B[201~\\\rc\r");
    expect(await read).toBe("a\nb\nc");
  });

  test("that is longer than the terminal is high leaves only its beginning there", async () => {
    const { device, screen } = open();
    const read = screen.readLine(line(), NEVER);
    const pasted = Array.from({ length: 30 }, (_, index) => `row ${index}`).join("\n");
    device.type(`\u001B[200~${pasted}\u001B[201~`);
    await setImmediate();
    device.taken();
    device.type("\r");
    expect(await read).toBe(pasted);
    expect(plain(device.taken())).toMatch(/> row 0\n {2}row 1\n[\s\S]* {2}row 7\n {2}… 22 more rows\n$/);
  });

  test("may be as long as a prompt, and is still typed in", async () => {
    const { device, screen } = open();
    const read = screen.readLine(line(), NEVER);
    device.type(`\u001B[200~${"word and word\n".repeat(LIMITS.promptBytes / 10)}\u001B[201~`);
    device.type("more\u007F\r");
    expect((await read)?.length).toBe(LIMITS.promptBytes - 1);
  });

  test("comes from the history with the arrows", async () => {
    const { device, screen } = open();
    const read = screen.readLine(line({ history: ["older", "newer"] }), NEVER);
    device.type("\u001B[A\u001B[A\u001B[B\r");
    expect(await read).toBe("newer");
  });

  test("is completed by Tab: the only candidate, what all share, and one after the other", async () => {
    const { device, screen } = open();
    const complete = (text: string): Promise<LineCompletion> =>
      Promise.resolve({
        start: 0,
        candidates: ["/clear", "/compact", "/cost"].filter((name) => name.startsWith(text)),
      });
    const read = async (keys: string): Promise<string | null> => {
      const reading = screen.readLine(line({ complete }), NEVER);
      device.type(keys);
      return reading;
    };
    expect(await read("/cl\t\r")).toBe("/clear ");
    expect(await read("/co\t\t\t\r")).toBe("/cost");
    expect(await read("nothing\t\r")).toBe("nothing");
    expect(plain(device.taken())).toContain("  /compact");
  });

  test("is cleared by Ctrl-C, and left by a second one or by Ctrl-D where nothing is", async () => {
    const { device, screen } = open();
    const first = screen.readLine(line(), NEVER);
    device.type("text\u0003\u0003");
    await setImmediate();
    expect(plain(device.taken())).toContain("Press Ctrl-C once more to leave.");
    device.type("\u0003");
    expect(await first).toBeNull();
    const second = screen.readLine(line(), NEVER);
    device.type("\u0004");
    expect(await second).toBeNull();
  });

  test("ends with the terminal, and with the signal", async () => {
    const { device, screen } = open();
    const controller = new AbortController();
    const stopped = screen.readLine(line(), controller.signal);
    controller.abort(new Error("over"));
    await expect(stopped).rejects.toThrow("over");
    device.type(null);
    expect(await screen.readLine(line(), NEVER)).toBeNull();
  });

  test("is drawn again when the terminal changes its size or something is shown above it", async () => {
    const { device, screen } = open();
    const read = screen.readLine(line(), NEVER);
    device.type("abcdefgh");
    await setImmediate();
    device.taken();
    device.resize(7);
    expect(plain(device.taken())).toBe("> abcd\n  efgh");
    screen.write({ text: "above\n" });
    expect(plain(device.taken())).toBe("above\n> abcd\n  efgh");
    device.type("\r");
    expect(await read).toBe("abcdefgh");
  });
});

describe("a panel", () => {
  const rows = (...texts: string[]): Span[][] => texts.map((text) => [{ text }]);

  test("is drawn over in place, cut to the terminal, and gone when it is closed", () => {
    const { device, screen } = open();
    device.taken();
    screen.panel(rows("one", "x".repeat(100)));
    expect(plain(device.taken())).toBe(`one\n${"x".repeat(38)}…`);
    screen.panel(rows("two"));
    const redrawn = device.taken();
    expect([redrawn.startsWith("\u001B[1A\r\u001B[?25l"), plain(redrawn)]).toEqual([true, "two"]);
    screen.panel(rows(...Array.from({ length: 50 }, (_, index) => `row ${index}`)));
    expect(plain(device.taken()).split("\n")).toHaveLength(9);
    screen.close();
    expect(plain(device.taken())).toBe("");
  });
});

describe("a question", () => {
  const question = { prompt: [{ text: "ok? " }], keys: ["y", "n"] };

  test("is answered by its keys alone, and not by what was typed before it", async () => {
    const { device, screen } = open();
    device.type("y");
    const asked = screen.choose(question, NEVER);
    device.type("y");
    await setImmediate();
    await setImmediate();
    await setImmediate();
    device.type("xN");
    expect(plain(device.taken())).toBe("ok? ");
    device.type("N");
    expect(await asked).toBe("n");
  });

  test("is answered with nothing by Esc, and by the end of the terminal", async () => {
    const { device, screen } = open();
    device.type(null);
    expect(await screen.choose(question, NEVER)).toBeNull();
  });

  test("keeps what is shown meanwhile for afterwards", async () => {
    const { device, screen } = open();
    const controller = new AbortController();
    const asked = screen.choose(question, controller.signal);
    screen.write({ text: "later\n" });
    controller.abort(new Error("interrupted"));
    await expect(asked).rejects.toThrow("interrupted");
    expect(plain(device.taken())).toBe("ok? \nlater\n");
  });

  test("that the caller shows holds nothing up, counts every key from then on, and leaves nothing", async () => {
    const { device, screen } = open();
    device.type("y");
    const prompt = (): void => {
      screen.panel([[{ text: "ok?" }]]);
      device.type("y");
    };
    const asked = screen.choose({ prompt, keys: ["y", "n"] }, NEVER);
    device.taken();
    screen.write({ text: "meanwhile\n" });
    device.type("n");
    expect(plain(device.taken())).toBe("meanwhile\n");
    expect(await asked).toBe("y");
    expect(plain(device.taken())).toBe("ok?");
  });
});

describe("a screen", () => {
  test("tells of Esc and Ctrl-C while nothing is read, until nobody wants to hear it", async () => {
    const { device, screen } = open();
    let count = 0;
    const stop = screen.watchInterrupt(() => (count += 1));
    device.type("\u0003x\u001B\u001B");
    expect(count).toBe(2);
    stop();
    device.type("\u0003");
    expect(count).toBe(2);
  });

  test("shows what goes on below whole lines only, cut to the terminal, and takes it away", () => {
    const { device, screen } = open();
    device.resize(10);
    device.taken();
    screen.status([{ text: "working for a long time" }]);
    expect(plain(device.taken())).toBe("working …");
    screen.write({ text: "half" });
    expect(plain(device.taken())).toBe("half");
    screen.write({ text: " line\n" });
    expect(plain(device.taken())).toBe(" line\nworking …");
    screen.status(null);
    expect(plain(device.taken())).toBe("");
  });

  test("makes what could move the cursor harmless", () => {
    const { device, screen } = open();
    device.taken();
    screen.write({ text: "a\u001B[2Jb\u0007\u202E\n" });
    expect(device.taken()).toContain("a\\u001b[2Jb\\u0007\\u202e\n");
  });

  test("leaves the terminal as it was, once, also when the process ends without closing it", () => {
    const { device, screen } = open();
    device.taken();
    device.leave();
    expect(device.taken()).toContain("\u001B[?2004l\u001B[?25h");
    expect(device.isListening()).toBe(false);
    screen.close();
    expect(device.taken()).toBe("");
  });
});
