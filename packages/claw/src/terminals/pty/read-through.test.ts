import tty from "node:tty";
import { expect, test } from "vitest";
import { loadPty } from "./load-pty.ts";
import type { Pty } from "./open-pty.ts";
import { openPty } from "./open-pty.ts";
import { readThrough } from "./read-through.ts";

const ENV = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", TERM: "xterm", LC_ALL: "C" };
const { library } = loadPty();

interface Opened {
  readonly pty: Pty;
  printed(): string;
  /** Resolves with all output when the program has ended. */
  readonly ended: Promise<string>;
}

function run(script: string, onOutput: (pty: Pty) => void = () => undefined): Opened {
  const pieces: Buffer[] = [];
  const printed = (): string => Buffer.concat(pieces).toString("latin1");
  let exited = (): void => undefined;
  const ended = new Promise<string>((resolve) => (exited = () => resolve(printed())));
  const pty: Pty = openPty(
    library,
    { argv: ["/bin/sh", "-c", `stty raw -echo; ${script}`], cwd: "/", env: ENV, cols: 80, rows: 24 },
    {
      output: (bytes) => {
        pieces.push(bytes);
        onOutput(pty);
      },
      exit: () => exited(),
    },
  );
  return { pty, printed, ended };
}

const print = (bytes: number, letter: string): string => `head -c ${bytes} /dev/zero | tr '\\0' ${letter}`;

test("terminals that print at the same time keep their own bytes", async () => {
  const letters = ["a", "b", "c"];
  const opened = letters.map((letter) => run(print(300_000, letter)));
  expect(await Promise.all(opened.map(({ ended }) => ended))).toEqual(letters.map((letter) => letter.repeat(300_000)));
});

test("a paused terminal gives no output until it is resumed, and then all of it", async () => {
  let outputs = 0;
  const paused = run(print(300_000, "x"), (pty) => {
    outputs += 1;
    if (outputs === 1) pty.pause(true);
  });
  expect(await run(print(300_000, "z")).ended).toHaveLength(300_000);
  const { length } = paused.printed();
  expect(await run(print(300_000, "z")).ended).toHaveLength(300_000);
  expect([outputs, paused.printed().length]).toEqual([1, length]);
  paused.pty.pause(false);
  expect(await paused.ended).toBe("x".repeat(300_000));
});

test("the bytes do not pass through the library", async () => {
  const taken: Buffer[] = [];
  const passed: unknown[] = [];
  const pty = readThrough(
    (bytes) => taken.push(bytes),
    () => library.spawn("/bin/echo", ["one"], { cwd: "/", env: ENV, encoding: null }),
  );
  pty.onData((data) => passed.push(data));
  await new Promise((resolve) => pty.onExit(resolve));
  expect([Buffer.concat(taken).toString(), passed]).toEqual(["one\r\n", []]);
});

test("readers of others are as before, also after a terminal that does not open", () => {
  const before = tty.ReadStream;
  const refuse = (): never => {
    throw new Error("no terminal");
  };
  expect(() => readThrough(() => undefined, refuse)).toThrow("no terminal");
  expect(tty.ReadStream).toBe(before);
});
