import type { HostedTerminal } from "./hosted-terminal.ts";

export interface PumpOptions {
  readonly terminal: HostedTerminal;
  readonly from: number;
  /** Whether the client has so much to read that it is to wait. */
  readonly congested: () => boolean;
  readonly send: (offset: number, bytes: Buffer) => void;
  /** Everything has been sent, and nothing more will come. */
  readonly ended: () => void;
}

/** Sends a terminal's output to one client: history first, then what comes. */
export interface OutputPump {
  /** There may be more to send, or room for it. */
  wake(): void;
  stop(): void;
}

const PIECE_BYTES = 64 * 1024;
/** Pieces sent before others have their turn. */
const PIECES = 16;

/** Nothing waits in memory for a slow client: it is served from the log, at its own pace. */
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
