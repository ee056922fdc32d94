import type { HostedTerminal } from "./hosted-terminal.ts";

export interface PumpOptions {
  readonly terminal: HostedTerminal;
  readonly from: number;
  /** Whether the client's socket holds so much unread output that the pump must wait. */
  readonly congested: () => boolean;
  readonly send: (offset: number, bytes: Buffer) => void;
  /** Called when all output of a closed terminal has been sent. */
  readonly ended: () => void;
}

/** Sends a terminal's output to a client: stored output first, then new output. */
export interface OutputPump {
  /** There may be new output to send, or room to send it. */
  wake(): void;
  stop(): void;
}

const PIECE_BYTES = 64 * 1024;
/** Number of pieces to send before other work gets a turn. */
const PIECES = 16;

/** No output waits in memory for a slow client: the pump reads from the log at the client's pace. */
export function createOutputPump({ terminal, from, congested, send, ended }: PumpOptions): OutputPump {
  let at = from;
  let scheduled: NodeJS.Immediate | undefined;
  let stopped = false;
  const run = (): void => {
    scheduled = undefined;
    if (stopped) return;
    for (let piece = 0; piece < PIECES && !congested(); piece += 1) {
      const { bytes, offset } = terminal.log.read({ offset: at, limit: PIECE_BYTES });
      if (bytes.length === 0) break;
      send(offset, bytes);
      at = offset + bytes.length;
    }
    if (at < terminal.log.total()) {
      if (!congested()) wake();
    } else if (!terminal.isOpen()) {
      stopped = true;
      ended();
    }
  };
  const wake = (): void => {
    if (!stopped) scheduled ??= setImmediate(run);
  };
  return {
    wake,
    stop: () => {
      stopped = true;
      if (scheduled !== undefined) clearImmediate(scheduled);
    },
  };
}
