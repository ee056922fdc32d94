import { closeSync, constants, openSync, readSync } from "node:fs";
import type { Socket } from "node:net";
import type { IPty } from "@lydell/node-pty";
import { errnoOf } from "../../files/index.ts";
import type { PtyLibrary } from "./load-pty.ts";
import { createPtyWriter } from "./pty-writer.ts";
import { readThrough } from "./read-through.ts";

export interface PtySpec {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cols: number;
  readonly rows: number;
}

export interface PtyExit {
  readonly exitCode: number | null;
  readonly signal: number | null;
}

export interface PtyListener {
  output(bytes: Buffer): void;
  /** Called once, after the last output. */
  exit(exit: PtyExit): void;
}

/** A program and the terminal it runs in. */
export interface Pty {
  readonly pid: number;
  /** Resolves when the kernel has taken all bytes; rejects when the terminal ends before. */
  write(bytes: Uint8Array): Promise<void>;
  /** Bytes that wait for the program to read. */
  waiting(): number;
  resize(cols: number, rows: number): void;
  /** Stops reading, which blocks a program that prints; or resumes reading. */
  pause(on: boolean): void;
}

/** Private fields of node-pty. Without them, input could block the host, and the last output could be lost. */
interface Insides {
  readonly _socket: Socket;
  readonly fd: number;
  readonly ptsName: string;
}

const READ_BYTES = 64 * 1024;

/** Reads all bytes that are available without waiting. */
function drain(fd: number, output: (bytes: Buffer) => void): void {
  for (;;) {
    const bytes = Buffer.allocUnsafe(READ_BYTES);
    try {
      const length = readSync(fd, bytes, 0, READ_BYTES, null);
      if (length === 0) return;
      output(bytes.subarray(0, length));
    } catch (error) {
      // No bytes are available now, or the terminal is gone.
      if (errnoOf(error) === undefined) throw error;
      return;
    }
  }
}

/**
 * node-pty closes the terminal a fixed time after its program has ended. Before that, this reads all remaining output.
 * A process blocked for longer than that time would lose the output otherwise.
 */
function drainBeforeDestroy({ _socket: socket, fd }: Insides, output: (bytes: Buffer) => void, done: () => void): void {
  const destroy = socket.destroy.bind(socket);
  let drained = false;
  socket.destroy = (error) => {
    if (!drained) {
      drained = true;
      for (let bytes = socket.read() as Buffer | null; bytes !== null; bytes = socket.read() as Buffer | null) {
        output(bytes);
      }
      drain(fd, output);
      done();
    }
    return destroy(error);
  };
}

/** Holds the program's side of the pty open: Linux reports the end to the reader before the last kilobytes are read. */
function holdOpen(path: string): () => void {
  const fd = openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  return () => closeSync(fd);
}

/** Starts a program in a new terminal. Throws when the system refuses to create the terminal. */
export function openPty({ spawn }: PtyLibrary, spec: PtySpec, listener: PtyListener): Pty {
  const { argv, cwd, env, cols, rows } = spec;
  const [file, ...args] = argv;
  const output = (bytes: Buffer): void => listener.output(bytes);
  const name = env["TERM"] ?? "xterm-256color";
  const pty: IPty = readThrough(output, () => spawn(file, args, { name, cwd, env, cols, rows, encoding: null }));
  const insides = pty as unknown as Insides;
  const release = holdOpen(insides.ptsName);
  const writer = createPtyWriter(insides.fd);
  drainBeforeDestroy(insides, output, () => writer.close());
  // Without an encoding the data are bytes, although the library's types say otherwise.
  pty.onData((data) => output(data as unknown as Buffer));
  pty.onExit(({ exitCode, signal }) => {
    release();
    const killed = signal === undefined || signal === 0 ? null : signal;
    listener.exit({ exitCode: killed === null ? exitCode : null, signal: killed });
  });
  return {
    pid: pty.pid,
    waiting: () => writer.waiting(),
    write: (bytes) => writer.write(bytes),
    resize: (columns, lines) => pty.resize(columns, lines),
    pause: (on) => (on ? pty.pause() : pty.resume()),
  };
}
