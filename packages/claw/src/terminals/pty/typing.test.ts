import { LIMITS } from "claw-contract";
import { expect, onTestFinished, test, vi } from "vitest";
import { createTyping, pasted } from "./typing.ts";

/** A terminal that takes each write when it is told to. */
function openTyping(waiting = 0) {
  const written: string[] = [];
  const take: (() => void)[] = [];
  const typing = createTyping({
    terminalId: "1",
    waiting: () => waiting,
    write: (bytes) => {
      written.push(Buffer.from(bytes).toString());
      return new Promise((resolve) => take.push(resolve));
    },
  });
  const next = async (): Promise<void> => {
    take.shift()?.();
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return { typing, written, next };
}

test("a paste holds no key", () => {
  expect(pasted("a\u001b[201~\tb\r\nc\u0000\u007f\u0085d")).toBe("\u001b[200~a[201~\tb\r\ncd\u001b[201~");
});

test("one thing is typed after the other, and Enter behind its text", async () => {
  const { typing, written, next } = openTyping();
  const entered = typing.entered("ls", false);
  const bytes = typing.bytes(Buffer.from("x"));
  await next();
  expect(written).toEqual(["ls"]);
  await next();
  expect(written).toEqual(["ls", "\r"]);
  await next();
  await entered;
  expect(written).toEqual(["ls", "\r", "x"]);
  await next();
  await bytes;
});

test("Enter waits a moment behind a paste", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { typing, written, next } = openTyping();
  const entered = typing.entered("ls", true);
  await next();
  await next();
  vi.advanceTimersByTime(29);
  await next();
  expect(written).toEqual([pasted("ls")]);
  vi.advanceTimersByTime(1);
  await next();
  expect(written).toEqual([pasted("ls"), "\r"]);
  await next();
  await entered;
});

test("more than may wait is refused, to the byte, and nothing of it is typed", async () => {
  const full = openTyping(LIMITS.terminalInputBytes - 3);
  await expect(full.typing.text("1234", false)).rejects.toMatchObject({ code: "TERMINAL_BUSY", target: "1" });
  await expect(full.typing.entered("123", false)).rejects.toMatchObject({ code: "TERMINAL_BUSY" });
  const first = full.typing.bytes(Buffer.from("12"));
  await expect(full.typing.text("34", false)).rejects.toMatchObject({ code: "TERMINAL_BUSY" });
  const second = full.typing.text("3", false);
  for (let turn = 0; turn < 3; turn += 1) await full.next();
  await Promise.all([first, second]);
  expect(full.written).toEqual(["12", "3"]);
  const third = full.typing.text("456", false);
  await full.next();
  await full.next();
  await third;
});

test("a terminal that takes nothing any more fails what was typed, and what comes after it is tried", async () => {
  const written: string[] = [];
  const write = (bytes: Uint8Array): Promise<void> => {
    written.push(Buffer.from(bytes).toString());
    return Promise.reject(new Error("closed"));
  };
  const typing = createTyping({ terminalId: "1", waiting: () => 0, write });
  await expect(typing.text("a", false)).rejects.toThrow("closed");
  await expect(typing.text("b", false)).rejects.toThrow("closed");
  expect(written).toEqual(["a", "b"]);
});
