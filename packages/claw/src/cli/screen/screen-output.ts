import type { Span } from "../../verbs/index.ts";
import type { LineEditor } from "./line-editor.ts";
import { layoutLine, visibleRows } from "./line-layout.ts";
import type { StyleText } from "./style-text.ts";
import { cutSpans } from "./style-text.ts";
import type { TerminalDevice } from "./terminal-device.ts";
import { textWidth } from "../../verbs/index.ts";

const CLEAR_BELOW = "\u001B[J";
const CLEAR_REST = "\u001B[K";
const HIDE_CURSOR = "\u001B[?25l";
const SHOW_CURSOR = "\u001B[?25h";
const up = (rows: number): string => (rows > 0 ? `\u001B[${rows}A` : "");
const right = (columns: number): string => (columns > 0 ? `\u001B[${columns}C` : "");

/** The redrawn part below the text: the widths of its rows, and the cursor's place among them. */
interface Drawn {
  readonly widths: readonly number[];
  readonly cursorRow: number;
  readonly cursorColumn: number;
}

/** Permanent text, and below it either the line being typed or a panel with the status. */
export class ScreenOutput {
  readonly #device: TerminalDevice;
  readonly #style: StyleText;
  #isAtLineStart = true;
  #panel: readonly (readonly Span[])[] | null = null;
  #editor: LineEditor | null = null;
  #drawn: Drawn | null = null;

  constructor(device: TerminalDevice, style: StyleText) {
    this.#device = device;
    this.#style = style;
  }

  write(spans: readonly Span[]): void {
    const text = spans.map((span) => span.text).join("");
    if (text === "") return;
    const erased = this.#erase();
    this.#isAtLineStart = text.endsWith("\n");
    this.#device.write(erased + this.#style(spans) + this.#below());
  }

  status(spans: readonly Span[] | null): void {
    this.panel(spans === null ? null : [spans]);
  }

  panelRows(): number {
    return Math.max(1, this.#device.rows() - 1);
  }

  panel(rows: readonly (readonly Span[])[] | null): void {
    this.#panel = rows;
    // Overwrites the old panel without clearing it first, to avoid flicker.
    if (rows === null || this.#editor !== null) this.redraw();
    else this.#device.write(this.#home() + this.#below());
  }

  /** Shows a line being typed. Null ends the editing and leaves the last state of the line in the text. */
  edit(editor: LineEditor | null): void {
    if (editor === null) this.#leaveLine();
    else {
      const start = this.#isAtLineStart ? "" : "\n";
      this.#isAtLineStart = true;
      this.#editor = editor;
      this.#device.write(this.#erase() + start + this.#below());
    }
  }

  redraw(): void {
    const erased = this.#erase();
    this.#device.write(erased + this.#below());
  }

  #leaveLine(): void {
    const editor = this.#editor;
    this.#editor = null;
    if (editor === null) return;
    const margin = textWidth(editor.prompt().text);
    const { rows } = layoutLine(editor.line(), this.#device.columns() - margin);
    const room = Math.max(1, this.#device.rows() - 2);
    const more = rows.length - room;
    const shown = this.#styleRows(editor, rows.slice(0, room));
    const rest = more > 0 ? this.#style([{ text: `${" ".repeat(margin)}… ${more} more rows\n`, styles: ["dim"] }]) : "";
    this.#device.write(`${this.#erase()}${shown}\n${rest}`);
  }

  #erase(): string {
    return this.#drawn === null ? "" : this.#home() + CLEAR_BELOW;
  }

  /** Moves the cursor to the first drawn row, even when a resize has wrapped the rows since. */
  #home(): string {
    if (this.#drawn === null) return "";
    const { widths, cursorRow, cursorColumn } = this.#drawn;
    const columns = this.#device.columns();
    const above = widths.slice(0, cursorRow).reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
    this.#drawn = null;
    return `${up(above + Math.floor(cursorColumn / columns))}\r`;
  }

  #below(): string {
    if (this.#editor !== null) return this.#drawEditor(this.#editor);
    if (this.#panel === null || !this.#isAtLineStart) return SHOW_CURSOR;
    const rows = this.#panel.slice(0, this.panelRows());
    const lines = rows.map((row) => cutSpans(row, this.#device.columns() - 1));
    const widths = lines.map((line) => line.reduce((sum, { text }) => sum + textWidth(text), 0));
    this.#drawn = { widths, cursorRow: widths.length - 1, cursorColumn: widths.at(-1) ?? 0 };
    return HIDE_CURSOR + lines.map((line) => this.#style(line) + CLEAR_REST).join("\n") + CLEAR_BELOW;
  }

  /** Rows of a line, the first behind its prompt and the others below it. */
  #styleRows(editor: LineEditor, rows: readonly string[]): string {
    const prompt = editor.prompt();
    const margin = { text: " ".repeat(textWidth(prompt.text)) };
    return rows.map((row, index) => this.#style([index === 0 ? prompt : margin, { text: row }])).join("\n");
  }

  #drawEditor(editor: LineEditor): string {
    const columns = this.#device.columns();
    const hints = editor.hints().map((hint) => cutSpans(hint, columns - 1));
    const margin = textWidth(editor.prompt().text);
    const layout = visibleRows(layoutLine(editor.line(), columns - margin), this.#device.rows() - hints.length - 1);
    const widths = layout.rows.map((row) => margin + textWidth(row));
    const cursorColumn = margin + layout.cursorColumn;
    this.#drawn = { widths, cursorRow: layout.cursorRow, cursorColumn };
    const below = hints.map((hint) => `\n${this.#style(hint)}`).join("");
    const back = up(layout.rows.length - 1 - layout.cursorRow + hints.length);
    return `${SHOW_CURSOR}${this.#styleRows(editor, layout.rows)}${below}${back}\r${right(cursorColumn)}`;
  }
}
