import { SerializeAddon } from "@xterm/addon-serialize";
import { Unicode11Addon } from "@xterm/addon-unicode11";
import type { Terminal as Emulator } from "@xterm/headless";
import headless from "@xterm/headless";
import type { Terminal, TerminalScreen } from "claw-contract";
import { LIMITS } from "claw-contract";
import type { RawPiece } from "../storage/raw-folder.ts";
import { solidText } from "./solid-text.ts";
import { watchCursor } from "./watch-cursor.ts";

/** Scrollback lines of a screen. */
const SCREEN_SCROLLBACK = 1000;

/** The stored output and sizes from which a screen is computed. */
export interface ScreenSource {
  total(): number;
  read(range: { offset: number; limit: number }): RawPiece;
  sizes(): Terminal["sizes"];
}

/** A terminal emulator that catches up with a terminal's output on demand. */
export interface ScreenEmulator {
  /** Reads all output up to now. Resolves with the visible screen. */
  look(): Promise<TerminalScreen>;
  /** Like `look`, and also returns sequences that draw the same screen, with scrollback, on another terminal. */
  draw(): Promise<{ readonly text: string; readonly screen: TerminalScreen }>;
  close(): void;
}

const BATCH_BYTES = 64 * 1024;

/** An emulator with its serializer and a cursor watch, which xterm does not include. */
interface Emulation {
  readonly emulator: Emulator;
  readonly serialize: SerializeAddon;
  readonly cursorHidden: () => boolean;
}

function createEmulation(cols: number, rows: number): Emulation {
  const emulator = new headless.Terminal({
    cols,
    rows,
    scrollback: SCREEN_SCROLLBACK,
    allowProposedApi: true,
    logLevel: "off",
  });
  const serialize = new SerializeAddon();
  emulator.loadAddon(new Unicode11Addon());
  emulator.unicode.activeVersion = "11";
  emulator.loadAddon(serialize);
  return { emulator, serialize, cursorHidden: watchCursor(emulator) };
}

function snapshot({ emulator, cursorHidden }: Emulation, exact: boolean, offset: number): TerminalScreen {
  const { active } = emulator.buffer;
  const { cols, rows } = emulator;
  const shown = Array.from({ length: rows }, (_, row) => active.getLine(active.baseY + row));
  const lines = shown.map((line) => line?.translateToString(true) ?? "");
  return {
    text: lines.join("\n").trimEnd(),
    lines,
    cursor: { x: active.cursorX, y: active.cursorY },
    cols,
    rows,
    exact,
    offset,
    bracketedPaste: emulator.modes.bracketedPasteMode,
    wrapped: shown.map((line) => line?.isWrapped === true),
    solid: shown.map((line, row) => solidText(line, row === active.cursorY ? active.cursorX : undefined)),
    cursorHidden: cursorHidden(),
  };
}

/** The size at an offset, and the offset of the next size change. */
function sizeAt(sizes: Terminal["sizes"], offset: number): { cols: number; rows: number; until: number } {
  const index = Math.max(
    0,
    sizes.findLastIndex((size) => size.offset <= offset),
  );
  const { cols, rows } = sizes[index] ?? { cols: 80, rows: 24 };
  return { cols, rows, until: sizes[index + 1]?.offset ?? Infinity };
}

/** Emulates a terminal from its newest stored output, up to a limit. */
export function createScreenEmulator(source: ScreenSource): ScreenEmulator {
  let at = Math.max(0, source.total() - LIMITS.screenReplayBytes);
  let exact = at === 0;
  let busy: Promise<unknown> = Promise.resolve();
  const first = sizeAt(source.sizes(), at);
  const emulation = createEmulation(first.cols, first.rows);
  const { emulator, serialize } = emulation;
  const feed = async (): Promise<void> => {
    for (let total = source.total(); at < total; total = Math.min(total, source.total())) {
      const { cols, rows, until } = sizeAt(source.sizes(), at);
      if (cols !== emulator.cols || rows !== emulator.rows) emulator.resize(cols, rows);
      const { bytes, offset } = source.read({ offset: at, limit: Math.min(BATCH_BYTES, until - at, total - at) });
      if (offset > at) exact = false;
      if (bytes.length === 0) break;
      await new Promise<void>((resolve) => emulator.write(bytes, resolve));
      at = offset + bytes.length;
    }
    const { cols, rows } = sizeAt(source.sizes(), at);
    if (cols !== emulator.cols || rows !== emulator.rows) emulator.resize(cols, rows);
  };
  const afterFeeding = <T>(then: () => T): Promise<T> => {
    const done = busy.then(feed).then(then);
    busy = done.catch(() => undefined);
    return done;
  };
  return {
    look: () => afterFeeding(() => snapshot(emulation, exact, at)),
    draw: () => afterFeeding(() => ({ text: serialize.serialize(), screen: snapshot(emulation, exact, at) })),
    close: () => emulator.dispose(),
  };
}
