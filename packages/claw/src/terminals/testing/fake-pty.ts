import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { PtyLibrary } from "../pty/load-pty.ts";

/** A pty that is nothing but what the test says of it. */
export interface FakePty {
  readonly library: PtyLibrary;
  print(text: string): void;
  exit(exit: { exitCode: number; signal?: number }): void;
  /** What the terminal asked of it: `resize 80 24`, `pause`, `resume`. */
  readonly asked: string[];
}

/** Takes the place of the library. What is written to it goes nowhere. */
export function createFakePty(): FakePty {
  const asked: string[] = [];
  let data: (bytes: Buffer) => void = () => undefined;
  let ended: (exit: { exitCode: number; signal?: number }) => void = () => undefined;
  const fd = openSync("/dev/null", "r+");
  onTestFinished(() => closeSync(fd));
  const pty = {
    pid: 2 ** 30,
    fd,
    ptsName: "/dev/null",
    _socket: { destroy: () => undefined, read: () => null },
    onData: (listener: typeof data) => (data = listener),
    onExit: (listener: typeof ended) => (ended = listener),
    resize: (cols: number, rows: number) => void asked.push(`resize ${cols} ${rows}`),
    pause: () => void asked.push("pause"),
    resume: () => void asked.push("resume"),
  };
  return {
    asked,
    library: { spawn: () => pty } as unknown as PtyLibrary,
    print: (text) => data(Buffer.from(text)),
    exit: (exit) => ended(exit),
  };
}

/** The folder of one terminal, in a `.claws` of its own. */
export function makeFolders(root: string): { readonly folder: string; readonly path: string } {
  const folder = join(root, ".claws");
  const path = join(folder, "terminals", "1");
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return { folder, path };
}
