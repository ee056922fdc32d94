import type { RawTerminal } from "../../verbs/index.ts";
import { writeOutput } from "../output/write-output.ts";

const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

/**
 * Ends what programs turn on and may have had no time to turn off: other screens, mice, pastes, keys, colours. Some of it
 * takes the cursor to the top, where what follows would stand over what was shown, so its place is kept.
 */
const RESTORE = [
  "\u001b7\u001b[?1049l",
  ...[1, 9, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 2004].map((mode) => `\u001b[?${mode}l`),
  "\u001b[<u\u001b>\u001b[r\u001b8\u001b[0m\u001b[?7h\u001b[?25h\r\n",
].join("");

function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    // A terminal that is gone cannot be restored.
    if (!(error instanceof Error)) throw error;
  }
}

function writeIfSeen(bytes: Uint8Array | string): boolean {
  try {
    return writeOutput(1, bytes);
  } catch {
    // A terminal that was closed answers with EIO.
    return false;
  }
}

/** Takes the terminal over: keys come as they are pressed, none means anything by itself. */
export function openRawTerminal(): RawTerminal {
  const { stdin, stdout } = process;
  let closed = false;
  let stopResize = (): void => undefined;
  const close = (): void => {
    if (closed) return;
    closed = true;
    process.off("exit", close);
    stopResize();
    stdin.removeAllListeners("data");
    writeIfSeen(RESTORE);
    attempt(() => stdin.setRawMode(false));
    stdin.pause();
  };
  process.on("exit", close);
  attempt(() => stdin.setRawMode(true));
  return {
    columns: () => stdout.columns || DEFAULT_COLUMNS,
    rows: () => stdout.rows || DEFAULT_ROWS,
    write: writeIfSeen,
    listen: (typed) => {
      stdin.on("data", (bytes: Buffer) => typed(bytes));
      for (const event of ["end", "close", "error"]) stdin.on(event, () => typed(null));
      stdin.resume();
    },
    onResize: (resized) => {
      stdout.on("resize", resized);
      stopResize = () => void stdout.off("resize", resized);
    },
    close,
  };
}
