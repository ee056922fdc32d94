import type { ProcessEnding, Stage } from "../stage.ts";

/** A stage without a process: what was written is kept, time is told, stdin is fed by the test. */
export interface MemoryStage extends Stage {
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly files: ReadonlyMap<string, string>;
  /** Pauses that were asked for, in order; they are over at once, but for the one without an end. */
  readonly pauses: readonly number[];
  /** Sends text to stdin. */
  readonly send: (text: string) => void;
  /** Closes stdin. */
  readonly closeInput: () => void;
  readonly signal: (name: "SIGINT" | "SIGTERM") => void;
  /** Whoever reads stdout goes away. */
  readonly leaveAudience: () => void;
  /** How the process was said to end. */
  readonly leave: (ending: ProcessEnding) => void;
}

/** Chunks that a test sends, as they come. */
function createPipe(): { input: AsyncIterable<Uint8Array>; send: (text: string) => void; close: () => void } {
  const chunks: (Uint8Array | undefined)[] = [];
  const waiting: (() => void)[] = [];
  const put = (chunk: Uint8Array | undefined): void => {
    chunks.push(chunk);
    for (const wake of waiting.splice(0)) wake();
  };
  async function* read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (chunks.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      const chunk = chunks.shift();
      if (chunk === undefined) return;
      yield chunk;
    }
  }
  return { input: read(), send: (text) => put(Buffer.from(text)), close: () => put(undefined) };
}

/** `onWrite` is told what was written to stdout. */
export function createMemoryStage(onWrite: (text: string) => void = () => {}): MemoryStage {
  const written = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  const files = new Map<string, string>();
  const pauses: number[] = [];
  const { input, send, close } = createPipe();
  let told: (name: "SIGINT" | "SIGTERM") => void = () => {};
  let present = true;
  let uuids = 0;
  return {
    input,
    inputIsTerminal: false,
    write(to, bytes) {
      if (present) written[to].push(Buffer.from(bytes));
      if (to === "stdout") onWrite(Buffer.from(bytes).toString());
      return Promise.resolve(present);
    },
    wait(ms, signal) {
      pauses.push(ms);
      if (Number.isFinite(ms)) return Promise.resolve();
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      });
    },
    writeFile(path, text) {
      files.set(path, text);
      return Promise.resolve();
    },
    onSignal(next) {
      told = next;
    },
    rawInput() {},
    columns: () => 80,
    uuid() {
      uuids += 1;
      return `00000000-0000-4000-8000-${String(uuids).padStart(12, "0")}`;
    },
    now: () => new Date(Date.UTC(2026, 3, 22, 10, 10)),
    leave: () => {},
    stdout: () => Buffer.concat(written.stdout).toString(),
    stderr: () => Buffer.concat(written.stderr).toString(),
    files,
    pauses,
    send,
    closeInput: close,
    signal: (name) => told(name),
    leaveAudience() {
      present = false;
    },
  };
}
