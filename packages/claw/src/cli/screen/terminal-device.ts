import { StringDecoder } from "node:string_decoder";
import { unlessRefused } from "../../files/index.ts";
import { processSignals } from "../../process/index.ts";
import { writeOutput } from "../output/write-output.ts";

/** A terminal as bytes, on which a screen is built. */
export interface TerminalDevice {
  columns(): number;
  rows(): number;
  /** Writes text. Returns false when the terminal is gone. */
  write(text: string): boolean;
  /** Delivers keys unbuffered and unechoed until the returned function is called. `null` is the end of the input. */
  listen(onInput: (text: string | null) => void): () => void;
  onResize(resized: () => void): () => void;
  /** Stops the process until the shell resumes it. */
  suspend(): void;
  /**
   * `onLeave` calls back when the process exits with the screen still open; `onReturn` when the process resumes after a
   * stop.
   */
  onLeave(leave: () => void): () => void;
  onReturn(back: () => void): () => void;
  /** Calls back when another process asks this one to stop, instead of stopping. */
  onStop(stop: () => void): () => void;
}

const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

function writeIfSeen(text: string): boolean {
  // A closed terminal answers with EIO. The loss of the screen is no reason to abandon the work.
  return unlessRefused(() => writeOutput(1, text), false);
}

/** Raw mode fails on a terminal that is gone. */
function setRaw(isRaw: boolean): void {
  unlessRefused(() => process.stdin.setRawMode(isRaw));
}

function listenToInput(onInput: (text: string | null) => void): () => void {
  const { stdin } = process;
  const decoder = new StringDecoder("utf8");
  const end = (): void => onInput(null);
  // An encoding of stdin could not be taken back, and other listeners want bytes.
  const decode = (bytes: Buffer): void => onInput(decoder.write(bytes));
  setRaw(true);
  stdin.on("data", decode);
  for (const event of ["end", "close", "error"]) stdin.on(event, end);
  stdin.resume();
  return () => {
    stdin.off("data", decode);
    for (const event of ["end", "close"]) stdin.off(event, end);
    setRaw(false);
    stdin.pause();
  };
}

function on(event: "exit" | "SIGCONT" | "SIGTSTP", listener: () => void): () => void {
  process.on(event, listener);
  return () => void process.off(event, listener);
}

/** A suspended process reads no input, so Node would exit before SIGCONT arrives. A timer keeps the process alive. */
function suspend(): void {
  const alive = setInterval(() => undefined, LONGEST_TIMER_MS);
  process.once("SIGCONT", () => clearInterval(alive));
  processSignals.suspendGroup();
}

/** The terminal this process was started on. */
export const standardTerminal = (): TerminalDevice => {
  const { stdout } = process;
  return {
    // A terminal of unknown size reports 0.
    columns: () => stdout.columns || DEFAULT_COLUMNS,
    rows: () => stdout.rows || DEFAULT_ROWS,
    write: writeIfSeen,
    listen: listenToInput,
    onResize: (resized) => {
      stdout.on("resize", resized);
      return () => void stdout.off("resize", resized);
    },
    suspend,
    onLeave: (leave) => on("exit", leave),
    onReturn: (back) => on("SIGCONT", back),
    onStop: (stop) => on("SIGTSTP", stop),
  };
};
