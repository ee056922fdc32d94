import { errnoOf, nodeFileSystem } from "../../files/index.ts";

/** Writes to a pty that may take nothing for a while. */
export interface PtyWriter {
  /** Resolves when the kernel has all of it; rejects when the terminal is gone before. In the order of the calls. */
  write(bytes: Uint8Array): Promise<void>;
  /** Bytes that wait for the program to read. */
  waiting(): number;
  /** The descriptor is about to be another's: whatever waits is given up. */
  close(): void;
}

interface QueuedBytes {
  readonly bytes: Uint8Array;
  at: number;
  readonly done: () => void;
  readonly fail: (error: Error) => void;
}

/** How long is waited before a full terminal is tried again, doubled up to the most. */
const FIRST_MS = 2;
const MOST_MS = 50;

const gone = (): Error => new Error("the terminal is closed");

class Writer implements PtyWriter {
  readonly #fd: number;
  #queue: QueuedBytes[] = [];
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_MS;
  #closed = false;

  constructor(fd: number) {
    this.#fd = fd;
  }

  waiting(): number {
    return this.#queue.reduce((sum, { bytes, at }) => sum + bytes.length - at, 0);
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((done, fail) => {
      if (this.#closed) return fail(gone());
      this.#queue.push({ bytes, at: 0, done, fail });
      if (this.#timer === undefined) this.#run();
      return undefined;
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#fail(gone());
  }

  #fail(error: Error): void {
    const failed = this.#queue;
    this.#queue = [];
    for (const piece of failed) piece.fail(error);
  }

  /** Writes everything, or throws EAGAIN when no more is taken. */
  #pass(): void {
    for (let piece = this.#queue[0]; piece !== undefined; piece = this.#queue[0]) {
      while (piece.at < piece.bytes.length) {
        piece.at += nodeFileSystem.writeSync(this.#fd, piece.bytes, piece.at);
        this.#pauseMs = FIRST_MS;
      }
      this.#queue.shift();
      piece.done();
    }
  }

  #run(): void {
    this.#timer = undefined;
    if (this.#closed) return;
    try {
      this.#pass();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (errnoOf(error) !== "EAGAIN") return this.#fail(error);
      this.#timer = setTimeout(() => this.#run(), this.#pauseMs);
      this.#pauseMs = Math.min(MOST_MS, this.#pauseMs * 2);
    }
    return undefined;
  }
}

/**
 * Node's own streams write to a pty until it takes everything, and do nothing else meanwhile: one program that does not
 * read would hold up all terminals. So the descriptor, which never blocks, is written to and tried again later.
 */
export const createPtyWriter = (fd: number): PtyWriter => new Writer(fd);
