import { setImmediate } from "node:timers/promises";
import type { ChoiceRequest, TypedLineRequest, Screen, Span } from "../../verbs/index.ts";
import type { Key } from "./key-decoder.ts";
import { KeySource } from "./key-source.ts";
import type { EditorResult } from "./line-editor.ts";
import { LineEditor } from "./line-editor.ts";
import { ScreenOutput } from "./screen-output.ts";
import type { StyleText } from "./style-text.ts";
import type { TerminalDevice } from "./terminal-device.ts";

const PASTE_ON = "\u001B[?2004h";
/** Ends bracketed paste, and shows the cursor in case it was hidden. */
const RESTORE = "\u001B[?2004l\u001B[?25h";

const LEFT: EditorResult = { left: true };

const isKey = (key: Key, name: string): boolean => key.kind === "key" && key.name === name;

/**
 * Waits until `begin` resolves, or rejects when the signal is aborted. The function returned by `begin` ends the
 * waiting.
 */
function until<T>(signal: AbortSignal, begin: (resolve: (value: T) => void) => () => void): Promise<T> {
  let stop: () => void = () => undefined;
  let abort: () => void = () => undefined;
  const ended = new Promise<T>((resolve, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    else stop = begin(resolve);
  });
  return ended.finally(() => {
    signal.removeEventListener("abort", abort);
    stop();
  });
}

/** The terminal of a session: shown text goes to the output, keys go to the present reader. */
class TerminalScreen implements Screen {
  readonly #device: TerminalDevice;
  readonly #output: ScreenOutput;
  readonly #keys = new KeySource();
  readonly #endings: (() => void)[];
  #deaf: () => void = () => undefined;
  #isClosed = false;
  /** Text to show once the open question is answered; null without a question. */
  #held: Span[] | null = null;

  #isGone = false;

  constructor(device: TerminalDevice, style: StyleText) {
    this.#device = { ...device, write: (text) => this.#notice(device.write(text)) };
    this.#output = new ScreenOutput(this.#device, style);
    this.#listen();
    this.#endings = [
      device.onResize(() => this.#output.redraw()),
      device.onLeave(() => this.close()),
      device.onReturn(() => {
        this.#listen();
        this.#output.redraw();
      }),
    ];
  }

  #listen(): void {
    this.#deaf();
    this.#deaf = this.#device.listen((input) => this.#keys.feed(input));
    this.#device.write(PASTE_ON);
  }

  #notice(isSeen: boolean): boolean {
    this.#isGone ||= !isSeen;
    return isSeen;
  }

  isGone = (): boolean => this.#isGone;

  columns = (): number => this.#device.columns();

  panelRows = (): number => this.#output.panelRows();

  write: Screen["write"] = (...spans) => {
    if (this.#held === null) this.#output.write(spans);
    else this.#held.push(...spans);
  };

  status: Screen["status"] = (spans) => this.#output.status(spans);

  panel: Screen["panel"] = (rows) => this.#output.panel(rows);

  watchInterrupt: Screen["watchInterrupt"] = (interrupted) => this.#keys.watchInterrupt(interrupted);

  async readLine(request: TypedLineRequest, signal: AbortSignal): Promise<string | null> {
    const editor = new LineEditor(request);
    this.#output.edit(editor);
    try {
      const typed = await until<EditorResult>(signal, (resolve) => this.#type(editor, resolve));
      return "line" in typed ? typed.line : null;
    } finally {
      this.#output.edit(null);
    }
  }

  /** Takes keys in order. A key whose handling takes time delays the keys behind it. */
  #type(editor: LineEditor, resolve: (typed: EditorResult) => void): () => void {
    const waiting: (Key | null)[] = [];
    let isTaking = false;
    let isOver = false;
    const take = async (): Promise<void> => {
      isTaking = true;
      for (let key = waiting.shift(); key !== undefined && !isOver; key = waiting.shift()) {
        const typed = key === null ? LEFT : await this.#takeKey(editor, key);
        if (typed === undefined) continue;
        isOver = true;
        // Keys typed after the end of this line belong to the next line.
        this.#keys.putBack(waiting.splice(0));
        resolve(typed);
      }
      isTaking = false;
    };
    const stop = this.#keys.read((key) => {
      waiting.push(key);
      if (!isTaking) void take();
    });
    return () => {
      isOver = true;
      stop();
      this.#keys.putBack(waiting.splice(0));
    };
  }

  async #takeKey(editor: LineEditor, key: Key): Promise<EditorResult | undefined> {
    if (isKey(key, "suspend")) {
      this.#suspend();
      return undefined;
    }
    const typed = await editor.take(key);
    this.#output.redraw();
    return typed;
  }

  #suspend(): void {
    this.#deaf();
    this.#device.write(RESTORE);
    this.#device.suspend();
  }

  async choose({ prompt, keys }: ChoiceRequest, signal: AbortSignal): Promise<string | null> {
    if (typeof prompt !== "function") {
      this.#output.write(prompt);
      this.#held = [];
    }
    // Keys typed before the question are dropped. The first turn of the event loop reads them, the second hands them on.
    await setImmediate();
    await setImmediate();
    this.#keys.drain();
    if (typeof prompt === "function") prompt();
    let answer: string | null = null;
    try {
      answer = await until<string | null>(signal, (resolve) =>
        this.#keys.read((key) => {
          if (key === null || isKey(key, "escape")) resolve(null);
          else if (isKey(key, "interrupt") && !this.#keys.interrupt()) resolve(null);
          else if (isKey(key, "enter") && keys.includes("enter")) resolve("enter");
          else if (key.kind === "text" && keys.includes(key.text.toLowerCase())) resolve(key.text.toLowerCase());
        }),
      );
    } finally {
      const held = this.#held;
      this.#held = null;
      if (held !== null) this.#output.write([{ text: `${answer ?? ""}\n` }, ...held]);
    }
    return answer;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const end of this.#endings.splice(0)) end();
    this.#keys.close();
    this.#output.status(null);
    this.#deaf();
    this.#device.write(RESTORE);
  }
}

/** Takes over a terminal for a session, until the session closes the screen or the process ends. */
export const openScreen = (device: TerminalDevice, style: StyleText): Screen => new TerminalScreen(device, style);
