import { LIMITS } from "claw-contract";
import { expect, onTestFinished, test, vi } from "vitest";
import type { HostedTerminal } from "./hosted-terminal.ts";
import { createKeptScreens } from "./kept-screens.ts";

/** A terminal whose output is the test's, and from where it was read. */
function openTerminal() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let output = Buffer.from("one");
  const offsets: number[] = [];
  const log = {
    total: () => output.length,
    read: ({ offset, limit }: { offset: number; limit: number }) => {
      offsets.push(offset);
      return { bytes: output.subarray(offset, offset + limit), offset, total: output.length };
    },
  };
  const about = () => ({ sizes: [{ offset: 0, cols: 20, rows: 2 }] });
  const terminal = { log, about } as unknown as HostedTerminal;
  return { terminal, offsets, print: (text: string) => (output = Buffer.concat([output, Buffer.from(text)])) };
}

/** The emulator takes output in with timers of its own. */
async function soon<T>(result: Promise<T>): Promise<T> {
  await vi.advanceTimersByTimeAsync(1);
  return result;
}

test("a screen that is asked for again takes in only what is new", async () => {
  const { terminal, offsets, print } = openTerminal();
  const screens = createKeptScreens();
  expect((await soon(screens.look(terminal))).text).toBe("one");
  vi.advanceTimersByTime(LIMITS.screenIdleMs - 10);
  print(" two");
  expect((await soon(screens.look(terminal))).text).toBe("one two");
  vi.advanceTimersByTime(LIMITS.screenIdleMs - 10);
  print(" three");
  expect((await soon(screens.draw(terminal))).screen.text).toBe("one two three");
  expect(offsets).toEqual([0, 3, 7]);
});

test("a screen that nobody has asked for in a while is made anew", async () => {
  const { terminal, offsets } = openTerminal();
  const screens = createKeptScreens();
  await soon(screens.look(terminal));
  vi.advanceTimersByTime(LIMITS.screenIdleMs);
  expect((await soon(screens.look(terminal))).text).toBe("one");
  expect(offsets).toEqual([0, 0]);
});
