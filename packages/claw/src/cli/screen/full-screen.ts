import type { FullScreen, ScreenKey, ScreenRow } from "../../verbs/index.ts";
import { charactersOf } from "../../verbs/index.ts";
import type { Key } from "./key-decoder.ts";
import { KeySource } from "./key-source.ts";
import type { StyleText } from "./style-text.ts";
import { cutSpans } from "./style-text.ts";
import type { TerminalDevice } from "./terminal-device.ts";

/** Another screen, no cursor, no lines that go on in the next row, marked pastes. */
const ENTER = "\u001B[?1049h\u001B[?25l\u001B[?7l\u001B[?2004h\u001B[2J";
const LEAVE = "\u001B[?2004l\u001B[0m\u001B[?7h\u001B[?25h\u001B[?1049l";

/** The other screen stays, with a cursor and lines that go on, for a program that draws by itself. */
const LEND = "\u001B[?2004l\u001B[0m\u001B[?7h\u001B[?25h\u001B[2J\u001B[H";

const rowStart = (row: number): string => `\u001B[${row + 1};1H`;
const CLEAR_REST = "\u001B[K";
const CLEAR_BELOW = "\u001B[J";

/** The keys that a screen is told of. Pasted text is none. */
function keysOf(key: Key): readonly ScreenKey[] {
  if (key.kind === "paste") return [];
  return key.kind === "key" ? [key.name] : charactersOf(key.text);
}

class AlternateScreen implements FullScreen {
  readonly #device: TerminalDevice;
  readonly #style: StyleText;
  readonly #keys = new KeySource();
  readonly #endings: (() => void)[];
  #pressed: (key: ScreenKey | null) => void = () => undefined;
  #resized: () => void = () => undefined;
  #deaf: () => void = () => undefined;
  #stopless: () => void = () => undefined;
  /** The rows on the terminal. */
  #shown: readonly string[] = [];
  #isOn = false;
  /** Whether another program draws on the screen. */
  #isLent = false;
  #isClosed = false;
  #isGone = false;

  constructor(device: TerminalDevice, style: StyleText) {
    this.#device = device;
    this.#style = style;
    this.#keys.read((key) => this.#take(key));
    this.#endings = [
      device.onResize(() => this.#redraw()),
      device.onLeave(() => this.close()),
      device.onReturn(() => this.#enter()),
    ];
    this.#enter();
  }

  columns = (): number => this.#device.columns();
  rows = (): number => this.#device.rows();
  isGone = (): boolean => this.#isGone;

  onKey(pressed: (key: ScreenKey | null) => void): void {
    this.#pressed = pressed;
  }

  onResize(resized: () => void): void {
    this.#resized = resized;
  }

  draw(rows: readonly ScreenRow[]): void {
    if (!this.#isOn) return;
    const [columns, room] = [this.columns(), this.rows()];
    const lines = rows.slice(0, room).map((row) => this.#style(cutSpans(row, columns)));
    const changed = lines.map((line, row) => (line === this.#shown[row] ? "" : `${rowStart(row)}${line}${CLEAR_REST}`));
    const below = lines.length < this.#shown.length ? `${rowStart(lines.length)}${CLEAR_BELOW}` : "";
    this.#shown = lines;
    const text = changed.join("") + below;
    if (text !== "") this.#write(text);
  }

  async lend<T>(work: () => Promise<T>): Promise<T> {
    this.#leave(LEND);
    this.#isLent = true;
    try {
      return await work();
    } finally {
      this.#isLent = false;
      if (!this.#isClosed) this.#enter();
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const end of this.#endings.splice(0)) end();
    this.#keys.close();
    if (this.#isLent) this.#write(LEAVE);
    else this.#leave();
  }

  /** Also after a stop: the shell has drawn over the screen. */
  #enter(): void {
    if (this.#isClosed) return;
    this.#deaf();
    this.#stopless();
    this.#isOn = true;
    this.#write(ENTER);
    this.#deaf = this.#device.listen((input) => this.#keys.feed(input));
    this.#stopless = this.#device.onStop(() => this.#stop());
    this.#redraw();
  }

  #leave(last = LEAVE): void {
    if (!this.#isOn) return;
    this.#isOn = false;
    this.#stopless();
    this.#deaf();
    this.#write(last);
  }

  #stop(): void {
    this.#leave();
    this.#device.suspend();
  }

  #redraw(): void {
    this.#shown = [];
    if (this.#isOn) this.#write("\u001B[2J");
    this.#resized();
  }

  #take(key: Key | null): void {
    if (key === null) {
      this.#isGone = true;
      return this.#pressed(null);
    }
    for (const name of keysOf(key)) {
      if (name === "suspend") this.#stop();
      else if (name === "redraw") this.#redraw();
      else this.#pressed(name);
    }
    return undefined;
  }

  #write(text: string): void {
    if (!this.#device.write(text)) this.#isGone = true;
  }
}

/** Takes the whole terminal, until the screen is closed or the process ends. */
export const openFullScreen = (device: TerminalDevice, style: StyleText): FullScreen =>
  new AlternateScreen(device, style);
