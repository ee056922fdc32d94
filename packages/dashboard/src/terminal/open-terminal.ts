import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { screenOutput } from "../text/inert.ts";
import { strictDocument, withStrictElements } from "./strict-document.ts";

export interface ShownTerminal {
  readonly write: (text: string) => void;
  readonly resize: (cols: number, rows: number) => void;
  /** Whether keys go to the agent. */
  takeOver(isOn: boolean): void;
  focus(): void;
  close(): void;
}

export interface TerminalWishes {
  readonly box: HTMLElement;
  readonly label: string;
  readonly isDark: boolean;
  /** Text that a person typed or pasted, only while the terminal is taken over. */
  readonly typed: (text: string) => void;
  /** Shift+Tab: the focus leaves the terminal. */
  readonly leave: () => void;
}

const LIGHT = { background: "#ffffff", foreground: "#1c1d1f", cursor: "#125c9c", selectionBackground: "#b9d7f2" };
const DARK = { background: "#101113", foreground: "#e8e8e6", cursor: "#6db3f2", selectionBackground: "#31506e" };

const SCROLLBACK_LINES = 5000;
/** Links, clipboard, and questions about colours: the program is not served here. */
const DEAF_TO_OSC = [4, 8, 10, 11, 12, 52, 1337];
const swallow = (): boolean => true;

/**
 * Questions of the program to its terminal are answered by the terminal host. An answer from here would be typed a
 * second time, as if a person had typed it.
 */
function silence(terminal: Terminal): void {
  const { parser } = terminal;
  for (const code of DEAF_TO_OSC) parser.registerOscHandler(code, swallow);
  for (const head of [{}, { prefix: ">" }, { prefix: "=" }]) {
    parser.registerCsiHandler({ ...head, final: "c" }, swallow);
  }
  for (const head of [{}, { prefix: "?" }]) {
    parser.registerCsiHandler({ ...head, final: "n" }, swallow);
    parser.registerCsiHandler({ ...head, intermediates: "$", final: "p" }, swallow);
  }
  parser.registerCsiHandler({ prefix: ">", final: "q" }, swallow);
  parser.registerCsiHandler({ final: "t" }, swallow);
  parser.registerDcsHandler({ intermediates: "$", final: "q" }, swallow);
  parser.registerDcsHandler({ intermediates: "+", final: "q" }, swallow);
}

/**
 * Takes in text that comes without a key: from a list of emoji, dictation, another program's input. The emulator leaves
 * such text out while it serves screen readers.
 */
function takeKeylessText(terminal: Terminal): void {
  const { textarea } = terminal;
  const state = { isKeyDown: false };
  textarea?.addEventListener("keydown", () => (state.isKeyDown = true));
  textarea?.addEventListener("keyup", () => (state.isKeyDown = false));
  textarea?.addEventListener("input", (event) => {
    if (!(event instanceof InputEvent) || event.inputType !== "insertText" || state.isKeyDown) return;
    if (event.data !== null && !event.isComposing) terminal.input(event.data);
  });
}

/** Opens a terminal that only shows, until it is taken over. */
export function openTerminal({ box, label, isDark, typed, leave }: TerminalWishes): ShownTerminal {
  const state = { isTaken: false };
  const terminal = new Terminal({
    documentOverride: strictDocument(),
    screenReaderMode: true,
    disableStdin: true,
    scrollback: SCROLLBACK_LINES,
    fontFamily: getComputedStyle(box).getPropertyValue("--mono"),
    fontSize: 13,
    theme: isDark ? DARK : LIGHT,
    minimumContrastRatio: 4.5,
    allowProposedApi: false,
    linkHandler: { activate: () => undefined },
  });
  silence(terminal);
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.key === "Tab" && event.shiftKey) {
      event.preventDefault();
      if (event.type === "keydown") leave();
      return false;
    }
    return state.isTaken;
  });
  terminal.onData((text) => {
    if (state.isTaken) typed(text);
  });
  withStrictElements(() => terminal.open(box));
  terminal.textarea?.setAttribute("aria-label", label);
  takeKeylessText(terminal);
  return {
    write: (text) => terminal.write(screenOutput(text)),
    resize: (cols, rows) => terminal.resize(cols, rows),
    takeOver: (isOn) => {
      state.isTaken = isOn;
      terminal.options.disableStdin = !isOn;
    },
    focus: () => terminal.focus(),
    close: () => terminal.dispose(),
  };
}
