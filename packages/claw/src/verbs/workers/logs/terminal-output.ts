import type { HostPush } from "claw-contract";
import type { HostAddress } from "../../../terminals/index.ts";
import { connectHost, findHost, openStoredTerminal } from "../../../terminals/index.ts";

export interface TerminalOutputOptions {
  /** `.claws`. */
  readonly folder: string;
  readonly id: string;
  readonly from: number;
  /** Whether to go on with new output until the terminal is closed. */
  readonly follow: boolean;
}

export interface OutputPiece {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

const READ_BYTES = 64 * 1024;
/** Pieces that may wait for the reader. At this limit, reading from the connection pauses. */
const WAITING_PIECES = 64;

function* stored({ folder, id, from }: TerminalOutputOptions): Generator<OutputPiece> {
  const terminal = openStoredTerminal(folder, id);
  if (terminal === undefined) return;
  for (let at = from; ;) {
    const { bytes, offset } = terminal.read({ offset: at, limit: READ_BYTES });
    if (bytes.length === 0) return;
    yield { offset, bytes };
    at = offset + bytes.length;
  }
}

/** Output that the terminal host sends, until the terminal ends, the host is gone, or the signal aborts. */
async function* live(host: HostAddress, id: string, from: number, signal: AbortSignal): AsyncGenerator<OutputPiece> {
  const waiting: OutputPiece[] = [];
  let ended = false;
  let wake = (): void => undefined;
  const push = (pushed: HostPush): void => {
    if (pushed.push === "output") waiting.push({ offset: pushed.offset, bytes: Buffer.from(pushed.data, "base64") });
    if (pushed.push === "ended") ended = true;
    if (waiting.length >= WAITING_PIECES) client.pause(true);
    wake();
  };
  const end = (): void => {
    ended = true;
    wake();
  };
  const client = await connectHost(host, { push, closed: end });
  signal.addEventListener("abort", end, { once: true });
  try {
    await client.ask("attach", { terminalId: id, from });
    for (;;) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else if (ended || signal.aborted) return;
      else {
        client.pause(false);
        await new Promise<void>((resolve) => (wake = resolve));
      }
    }
  } finally {
    client.close();
  }
}

/** Output of a terminal: from the terminal host when the caller follows an open terminal, otherwise from the disk. */
export async function* terminalOutput(
  options: TerminalOutputOptions,
  signal: AbortSignal,
): AsyncGenerator<OutputPiece> {
  const host = options.follow ? findHost(options.folder) : undefined;
  const isOpen = openStoredTerminal(options.folder, options.id)?.about.end === null;
  if (host !== undefined && isOpen) yield* live(host, options.id, options.from, signal);
  else yield* stored(options);
  signal.throwIfAborted();
}
